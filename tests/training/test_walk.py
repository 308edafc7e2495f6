"""Labels and times against brute force; nothing in a window is later than its cursor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.media import AudioChunk, VideoFrame
from streaming.said import says_the_same
from streaming.window import Window
from training.example import Kind, Why
from training.labels import label, mostly_outside
from training.material import Material
from training.walk import Strides, Turn, Walk

pytestmark = pytest.mark.unit

WINDOW: Ms = 8_000
CONTEXT: Ms = 120_000


@dataclass(frozen=True)
class Went:
    """One walk, with media: its turns and windows."""

    material: Material
    turns: list[Turn]
    windows: list[Window]


@st.composite
def films(draw: st.DrawFn) -> tuple[Material, Ms]:
    """Descriptions, some twice or over each other, and words, some under descriptions."""
    starts = draw(st.lists(st.integers(0, 90_000), max_size=12))
    events = []
    for n, start in enumerate(sorted(starts)):
        told = draw(st.integers(0, 2)) if n % 5 == 4 else n
        when = Interval(start, start + draw(st.integers(1, 20_000)))
        events.append(Cue(when, f"Number {told} goes by."))
    words = [
        Word(Interval(start, start + draw(st.integers(1, 3_000))), f"w{start}")
        for start in sorted(draw(st.lists(st.integers(0, 95_000), max_size=30)))
    ]
    made = Material("f", "f", (), Path("f.mp4"), tuple(events), tuple(words), ())
    return made, draw(st.integers(1_000, 100_000))


def went(material: Material, length: Ms, seed: int, strides: Strides) -> Went:
    """The walk, fed all pictures and sound up to each window's end and a while beyond."""
    walk = Walk(material, length, strides=strides, rng=Random(seed))
    turns, windows, fed = [], [], 0
    for turn in walk.turns():
        while fed <= turn.cursor + 3_000:
            walk.see(VideoFrame(fed, b"%d" % fed, 64, 36, 0))
            walk.see(AudioChunk(fed, bytes(32_000)))
            fed += 1_000
        turns.append(turn)
        windows.append(walk.window(turn))
    return Went(material, turns, windows)


WALKS = st.builds(
    lambda film, seed, longest: went(*film, seed, Strides(500, longest)),
    films(),
    st.integers(0, 9),
    st.sampled_from([500, 2_000, 4_000, 8_000]),
)


@settings(max_examples=60, deadline=None)
@given(WALKS)
def test_labels_are_those_of_brute_force(walked: Went) -> None:
    """Each by all events there are and all that was described, millisecond by millisecond."""
    described: set[int] = set()
    for turn, window in zip(walked.turns, walked.windows, strict=True):
        start, end = window.when.start, window.when.end
        told = [cue.text for cue in window.history]
        fresh = []
        for n, event in enumerate(walked.material.events):
            inside = range(max(start, event.when.start), min(end, event.when.end))
            known = any(says_the_same(event.text, text) for text in told)
            if n not in described and len(inside) > 0 and not known:
                fresh.append((n, len(inside) / event.when.duration))
        chosen = next((n for n, share in fresh if share >= 0.5), None)
        talk = any(w.when.start < end and w.when.end > start for w in walked.material.words)
        if chosen is not None:
            assert turn.label.event == walked.material.events[chosen]
            assert (turn.label.kind, turn.label.why) == (Kind.AD, Why.UNSEEN_AD)
            described.add(chosen)
            continue
        assert (turn.label.kind, turn.label.event) == (Kind.WAIT, None)
        if fresh:
            assert turn.label.why is Why.MOSTLY_OUTSIDE
        elif talk:  # pauses within a sentence count as speech as well
            assert turn.label.why is Why.DIALOGUE
        else:
            assert turn.label.why in {Why.NO_AD, Why.DIALOGUE}


@settings(max_examples=60, deadline=None)
@given(WALKS)
def test_no_window_shows_what_comes_after_its_cursor_or_its_own_description(walked: Went) -> None:
    for turn, window in zip(walked.turns, walked.windows, strict=True):
        end = window.when.end
        assert end == turn.cursor
        assert all(window.when.start <= frame.t <= end for frame in window.frames)
        assert all(chunk.when.end <= end for chunk in window.audio)
        assert all(end - CONTEXT <= word.when.start for word in window.words)
        assert all(word.when.end <= end for word in window.words)
        assert window.words_final_to <= end
        assert all(span.end <= end for span in window.speech)
        assert all(fact.learned <= end for fact in window.facts)
        assert all(cue.when.start <= end for cue in window.history)
        if turn.label.event is not None:
            own = turn.label.event
            assert own not in window.history
            assert not any(says_the_same(own.text, cue.text) for cue in window.history)
            assert 2 * len(_common(own.when, window.when)) >= own.when.duration


def _common(one: Interval, other: Interval) -> range:
    return range(max(one.start, other.start), min(one.end, other.end))


@settings(max_examples=60, deadline=None)
@given(WALKS)
def test_the_context_is_what_was_said_and_described_before(walked: Went) -> None:
    """Of the last 120 s, and with nothing of it left out."""
    described: list[Cue] = []
    for turn, window in zip(walked.turns, walked.windows, strict=True):
        words = [
            word
            for word in walked.material.words
            if word.when.end <= turn.cursor and word.when.start >= turn.cursor - CONTEXT
        ]
        assert sorted(window.words, key=lambda w: w.when) == sorted(words, key=lambda w: w.when)
        assert set(described) <= set(window.history)
        if turn.label.event is not None:
            described.append(turn.label.event)


@settings(max_examples=40, deadline=None)
@given(WALKS)
def test_strides_are_drawn_and_only_an_answers_end_moves_the_window_further(walked: Went) -> None:
    for turn in walked.turns:
        assert 500 <= turn.step.duration <= 8_000
        busy = [word.when for word in walked.material.words]
        assert not any(turn.gap.overlaps(span) for span in busy)
        assert turn.gap.duration >= 500
        assert turn.gap.end > turn.step.start
    for turn, following in zip(walked.turns, walked.turns[1:], strict=False):
        event = turn.label.event
        jumped = min(event.when.end, turn.cursor + WINDOW) if event else turn.cursor
        assert following.step.start >= max(turn.cursor, jumped)


@given(films(), st.integers(0, 5))
@settings(max_examples=20, deadline=None)
def test_the_same_seed_goes_the_same_way_with_media_and_without(
    film: tuple[Material, Ms], seed: int
) -> None:
    without = Walk(*film, strides=Strides(), rng=Random(seed))
    assert list(without.turns()) == went(*film, seed, Strides()).turns


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ((10_000, 12_000), Kind.AD),
        ((9_000, 11_000), Kind.AD),
        ((9_000, 10_999), Kind.WAIT),
        ((17_000, 19_000), Kind.AD),
        ((17_001, 19_003), Kind.WAIT),
        ((0, 16_000), Kind.WAIT),
        ((2_000, 18_000), Kind.AD),
    ],
)
def test_half_of_an_event_is_enough(event: tuple[int, int], kind: Kind) -> None:
    window = Interval(10_000, 18_000)
    found = label(window, [Cue(Interval(*event), "A dog runs.")], speech=False)
    assert found.kind is kind
    assert mostly_outside(Interval(*event), window) == (kind is Kind.WAIT)


def test_of_two_events_that_say_the_same_the_second_is_context() -> None:
    """Also where the first ended within the second, before the window."""
    events = (
        Cue(Interval(1_000, 16_000), "A dog runs."),
        Cue(Interval(2_000, 2_400), "A dog runs."),
        Cue(Interval(17_000, 18_000), "A dog runs."),
    )
    film = Material("f", "f", (), Path("f.mp4"), events, (), ())
    for seed in range(20):
        walked = went(film, 30_000, seed, Strides(4_000, 8_000))
        described = [turn.label.event for turn in walked.turns if turn.label.event]
        assert len({event.text for event in described}) == len(described) == 1


@given(films(), st.lists(st.integers(0, 90_000), max_size=3), st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_windows_that_see_a_description_that_was_passed_over_teach_nothing(
    film: tuple[Material, Ms], starts: list[Ms], seed: int
) -> None:
    unsure = tuple(Interval(start, start + 5_000) for start in starts)
    made = replace(film[0], unsure=unsure)
    walk = Walk(made, film[1], strides=Strides(), rng=Random(seed))
    for turn in walk.turns():
        seen = Interval(max(0, turn.cursor - WINDOW), turn.cursor)
        assert not any(span.overlaps(seen) for span in unsure)
    quiet = Material("f", "f", (), Path("f.mp4"), (), (), (), unsure=(Interval(0, 30_000),))
    walk = Walk(quiet, 30_000, strides=Strides(), rng=Random(seed))
    assert not list(walk.turns())
    assert walk.passed["passed-over"] > 5
