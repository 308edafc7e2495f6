"""The screenplay: every seed fills its time with whole shots, and is the same every time."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.demo.screenplay import FRAME, SHORTEST, Shot, plan
from strad.timeline import Ms

pytestmark = pytest.mark.unit

seeds = st.integers(0, 2**32)
durations = st.integers(6, 200).map(lambda seconds: seconds * 1_000)


@given(seeds, durations)
def test_shots_follow_each_other_without_a_hole(seed: int, duration: Ms) -> None:
    shots = plan(Random(seed), duration).shots
    assert shots[0].when.start == 0
    assert shots[-1].when.end == duration
    assert all(a.when.end == b.when.start for a, b in itertools.pairwise(shots))
    assert all(shot.when.duration >= SHORTEST for shot in shots)


@given(seeds, durations)
def test_everything_lies_on_whole_frames(seed: int, duration: Ms) -> None:
    play = plan(Random(seed), duration)
    spans = [item.when for item in (*play.shots, *play.captions)]
    assert all(span.start % FRAME == 0 and span.end % FRAME == 0 for span in spans)


@given(seeds, durations)
def test_a_title_stays_inside_its_shot_long_enough_to_be_read(seed: int, duration: Ms) -> None:
    play = plan(Random(seed), duration)
    for caption in play.captions:
        (shot,) = [shot for shot in play.shots if shot.when.overlaps(caption.when)]
        assert shot.when.start <= caption.when.start < caption.when.end <= shot.when.end
        assert caption.when.duration >= 3_000


@given(seeds)
def test_a_minute_and_a_quarter_shows_no_photograph_twice(seed: int) -> None:
    shots = plan(Random(seed), 75_000).shots
    names = [move.photo.name for shot in shots for move in shot.moves]
    assert len(names) == len(set(names))


@given(seeds)
def test_a_seed_makes_one_plan(seed: int) -> None:
    assert plan(Random(seed), 60_000) == plan(Random(seed), 60_000)


def test_seeds_differ() -> None:
    plans = {plan(Random(seed), 60_000) for seed in range(50)}
    assert len(plans) == 50


def test_a_split_screen_shows_two_of_the_plain_photographs() -> None:
    shots: list[Shot] = []
    for seed in range(20):
        shots += [shot for shot in plan(Random(seed), 90_000).shots if len(shot.moves) == 2]
    assert shots
    assert all(one.photo != other.photo for one, other in (shot.moves for shot in shots))
