"""The stretch that a question needs: inside the film, in order, never all of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.intervals import Stretch, before, cut, needed
from tests.question_generation.jointav.parts import part

pytestmark = pytest.mark.unit
numbers = st.integers(-1, 12)


@given(st.integers(1, 9), numbers, numbers, st.booleans())
def test_what_is_needed_is_a_true_part(count: int, first: int, last: int, across: bool) -> None:
    film = [part(number) for number in range(1, count + 1)]
    found = needed(film, first, last, across=across)
    if isinstance(found, Stretch):
        kept = cut(film, found)
        assert 1 + across <= len(kept) < count
        assert [one.number for one in kept] == list(range(first, last + 1))
    else:
        assert found


@given(st.integers(1, 9), numbers, numbers)
def test_a_prediction_never_shows_its_event(count: int, first: int, event: int) -> None:
    film = [part(number) for number in range(1, count + 1)]
    found = before(film, first, event)
    if isinstance(found, Stretch):
        kept = cut(film, found)
        assert kept
        assert max(one.number for one in kept) == event - 1
    else:
        assert found


def test_reasons() -> None:
    film = [part(1), part(2), part(3)]
    assert needed(film, 1, 3, across=True) == "it needs the whole video"
    assert needed(film, 2, 2, across=True) == "it needs one segment only"
    assert needed(film, 3, 2, across=True) == "the stretch ends before it starts"
    assert before(film, 2, 2) == "nothing is shown before the event"
