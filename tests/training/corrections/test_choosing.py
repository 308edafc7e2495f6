"""Which windows teach which corrections: over any film and any editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.cues import Cue
from strad.decision import Kind as Sort
from strad.flag import FlaggedEvent, FlagKind, FlagLine
from strad.speech import Word
from strad.timeline import Interval
from training.corrections.choosing import Judged, chosen, judged
from training.corrections.matching import Change, corrections
from training.example import Kind
from training.labels import mostly_outside
from training.material import Material
from training.preparing.plan import planned
from training.walk import Strides

pytestmark = pytest.mark.unit

LENGTH = 90_000


def cue(at: int, text: str, length: int = 2_000) -> Cue:
    return Cue(Interval(1_000 * at, 1_000 * at + length), text)


def material(kept: list[Cue], words: tuple[Word, ...] = ()) -> Material:
    events = tuple(sorted(kept, key=lambda one: one.when))
    return Material("m", "m", ("m",), Path("m.mp4"), events, words, ())


TEXTS = ("A man walks in.", "Rain falls on a roof.", "The dog sleeps.", "Two boys run off.")
TRACK = st.lists(
    st.builds(cue, st.integers(0, 85), st.sampled_from(TEXTS), st.integers(800, 5_000)), max_size=6
)


@settings(max_examples=25)
@given(TRACK, TRACK, st.integers(0, 3))
def test_what_is_kept_is_described_and_what_is_gone_is_waited_at(
    told: list[Cue], kept: list[Cue], seed: int
) -> None:
    film = material(kept)
    found = [Judged(one) for one in corrections(told, kept)]
    for n, one in chosen(found, film, LENGTH, seed=seed, strides=Strides()).items():
        kind, seen = planned(film, "train", LENGTH, one.manner).windows[one.key]
        correction = found[n].correction
        if correction.change is Change.DELETED:
            assert correction.told
            assert kind is Kind.WAIT
            assert not mostly_outside(correction.told.when, seen)
        else:
            assert kind is Kind.AD


def test_no_window_teaches_two_corrections() -> None:
    told = [cue(20, TEXTS[0]), cue(21, TEXTS[1]), cue(40, TEXTS[2])]
    found = [Judged(one) for one in corrections(told, [])]
    places = chosen(found, material([]), LENGTH, seed=0, strides=Strides())
    keys = [(one.manner.seed, one.key) for one in places.values()]
    assert len(keys) == len(set(keys)) == 3


def test_what_nobody_could_say_there_teaches_nothing() -> None:
    """Somebody speaks all the time: serving would ask about no window."""
    word = Word(Interval(0, LENGTH), "Oh")
    found = [Judged(one) for one in corrections([], [cue(20, TEXTS[0])])]
    assert not chosen(found, material([], (word,)), LENGTH, seed=0, strides=Strides())


def test_a_flag_leaves_out_what_nobody_corrected_and_nothing_else() -> None:
    told = [cue(20, TEXTS[0]), cue(40, TEXTS[1])]
    kept = [told[0], cue(40, TEXTS[2])]
    flagged = [_flagged(one) for one in told]
    found = judged(corrections(told, kept), flagged)
    assert [bool(one.flags) for one in found] == [True, True]
    assert [bool(one.left_out) for one in found] == [True, False]
    assert list(chosen(found, material(kept), LENGTH, seed=0, strides=Strides())) == [1]


def _flagged(one: Cue) -> FlaggedEvent:
    return FlaggedEvent(
        start=one.when.start / 1000,
        end=one.when.end / 1000,
        id="ad",
        text=one.text,
        language="en",
        kind=Sort.ACTION,
        describer="facts",
        draft=True,
        window_end=one.when.end / 1000,
        lag_emit=1.0,
        late=False,
        flags=(FlagLine(kind=FlagKind.WRONG, by="x"),),
    )


def test_what_no_answer_can_hold_is_not_taught_cut() -> None:
    long = cue(3, "word " * 61)
    (found,) = judged(corrections([cue(3, "A man.")], [long]), ())
    assert (found.correction.kept, found.left_out) == (long, "too-long")
