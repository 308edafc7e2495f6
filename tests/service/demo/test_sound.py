"""A made clip's sound: voiced spans are measured, gaps are gaps, speech is where it is said."""

from __future__ import annotations

import itertools
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.demo.narrator import RATE, Sound
from service.demo.sound import (
    BED_LEVEL,
    MARGIN,
    SPEECH_LEVEL,
    Placed,
    Take,
    bed,
    loudness,
    mix,
    place,
    voiced,
)
from service.demo.sound import take as cut
from strad.timeline import Interval, Ms

pytestmark = pytest.mark.unit


def buzz(before: Ms, length: Ms, after: Ms, hiss: float = 0.0005) -> Sound:
    """A vowel-like tone between two stretches of faint hiss."""
    t = np.arange(length * RATE // 1000) / RATE
    tone = 0.4 * np.sin(2 * np.pi * 180 * t)
    quiet = [np.zeros(span * RATE // 1000) for span in (before, after)]
    whole = np.concatenate([quiet[0], tone, quiet[1]])
    whole += hiss * np.random.default_rng(0).standard_normal(len(whole))
    return whole.astype(np.float32)


@given(st.integers(0, 900), st.integers(200, 900), st.integers(0, 900))
@settings(max_examples=25)
def test_the_voiced_span_is_found_to_ten_milliseconds(before: Ms, length: Ms, after: Ms) -> None:
    span = voiced(buzz(before, length, after))
    assert abs(span.start - before) <= 10
    assert abs(span.end - (before + length)) <= 10


def test_a_click_is_no_voice() -> None:
    sound = buzz(500, 300, 500)
    sound[100 * RATE // 1000] = 0.9
    assert abs(voiced(sound).start - 500) <= 10


def test_silence_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing is said"):
        voiced(np.zeros(RATE, np.float32))


def test_a_take_keeps_a_margin_and_gets_one_level() -> None:
    one = cut("hm", buzz(700, 400, 700))
    assert abs(one.voiced.start - MARGIN) <= 10
    assert abs(len(one.samples) * 1000 // RATE - (400 + 2 * MARGIN)) <= 20
    assert np.sqrt(np.mean(one.samples**2)) == pytest.approx(SPEECH_LEVEL, rel=0.05)


def takes(*lengths: Ms) -> list[Take]:
    return [cut(f"line {length}", buzz(100, length, 100)) for length in lengths]


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_lines_follow_each_other_with_gaps_of_many_lengths(seed: int) -> None:
    placed = place(Random(seed), takes(*([2_000] * 12)), 60_000)
    gaps = [b.when.start - a.when.end for a, b in itertools.pairwise(placed)]
    assert len(placed) >= 5
    assert placed[0].when.start >= 2_000
    assert placed[-1].when.end <= 58_500
    assert min(gaps) >= 250
    assert any(gap >= 2_500 for gap in gaps)


def test_speech_is_heard_where_it_is_placed_and_gaps_are_quiet_but_not_silent() -> None:
    placed = place(Random(5), takes(1_500, 2_000, 1_800), 20_000)
    track = np.concatenate(list(mix(Random(5), placed, 20_000))).astype(np.float32) / 32_768
    loud = loudness(track)
    for one in placed:
        inside = loud[one.when.start // 10 + 2 : one.when.end // 10 - 2]
        assert inside.min() > 5 * BED_LEVEL
    spoken = [one.when.widen(MARGIN) for one in placed]
    for index, level in enumerate(loud):
        here = Interval(index * 10, index * 10 + 10)
        if not any(here.overlaps(span) for span in spoken):
            assert level < 3 * BED_LEVEL
    assert loud[:-5].min() > 0


def test_the_bed_keeps_its_level() -> None:
    sound = np.concatenate([block for _, block in bed(Random(1), 36_000)])
    assert np.sqrt(np.mean(sound.astype(np.float64) ** 2)) == pytest.approx(BED_LEVEL, rel=0.1)
    assert len(sound) == 36 * RATE


def test_a_line_over_the_border_of_two_blocks_is_whole() -> None:
    (one,) = takes(3_000)
    placed = [Placed(one, Interval(6_500, 9_500))]
    track = np.concatenate(list(mix(Random(5), placed, 16_000))).astype(np.float32) / 32_768
    assert voiced(track, 0.2) == Interval(6_500, 9_500)
