"""How many questions may be open: as many as help, where the delay allows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strad.timeline import Ms
from streaming.config import StreamConfig
from streaming.in_flight import FORGET, MOST, InFlight

pytestmark = pytest.mark.unit


def settled(
    took: Callable[[int], Ms],
    *,
    delay: Ms = 12_000,
    in_flight: int | None = None,
    answers: int = 200,
) -> list[int]:
    """The limits after each of many answers by an engine that takes ``took(in flight)``."""
    config = StreamConfig(delay=delay, in_flight=in_flight)
    flying = InFlight(config)
    limits = []
    for _ in range(answers):
        flying.answered(took(flying.limit))
        limits.append(flying.limit)
    return limits


def test_a_number_that_is_set_stays() -> None:
    assert set(settled(lambda _: 9_000, in_flight=3)) == {3}


def test_an_engine_faster_than_the_stride_is_asked_one_by_one() -> None:
    assert set(settled(lambda _: 1_900)) == {1}


def test_an_engine_that_works_on_several_at_once_gets_as_many_as_keep_up() -> None:
    """2.5 s at a stride of 2 s: two. 6 s: three. 9 s: five would, four is the most."""
    assert settled(lambda _: 2_500)[-1] == 2
    assert settled(lambda _: 6_000)[-1] == 3
    assert settled(lambda _: 9_000)[-1] == MOST


def test_where_the_delay_does_not_allow_it_there_is_one() -> None:
    """With 12 s of delay, 1.5 s of lead and 1 s for hearing, an answer may take 9.5 s."""
    assert set(settled(lambda _: 9_600)) == {1}
    assert set(settled(lambda _: 2_500, delay=0)) == {1}


def test_an_engine_that_takes_them_one_after_another_is_found_out() -> None:
    limits = settled(lambda n: 2_500 * n)
    assert limits[-1] == 1
    assert limits.count(2) <= 8  # one look


def test_what_did_not_help_is_tried_again_much_later() -> None:
    limits = settled(lambda n: 2_500 * n, answers=2 * FORGET)
    assert 2 in limits[FORGET:]
    assert limits[-1] == 1


def test_when_answers_get_quick_again_there_is_one() -> None:
    config = StreamConfig(in_flight=None)
    flying = InFlight(config)
    for took in [2_500] * 50 + [400] * 50:
        flying.answered(took)
    assert flying.limit == 1
