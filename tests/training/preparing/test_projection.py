"""A film shown once gives every chosen example whole, however its pictures and sound come."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.media import AudioChunk, VideoFrame
from streaming.prompt.wav import wav
from streaming.tasks.segments.segment import Segment
from training.budget import PAPER
from training.example import Example, Kind
from training.material import Material
from training.preparing.plan import FilmPlan, Manner, chosen, in_shares, planned
from training.preparing.projection import LAG, Projection, Taken, segment_example

pytestmark = pytest.mark.unit

CHUNK: Ms = 100


@st.composite
def plans(draw: st.DrawFn) -> FilmPlan:
    """A film with descriptions, their segments, and a word after each."""
    starts = sorted(draw(st.sets(st.integers(0, 70).map(lambda n: 1_000 * n + 37), max_size=8)))
    spans = [Interval(t, t + draw(st.integers(300, 6_000))) for t in starts]
    texts = [f"Number {n} goes by." for n in range(len(spans))]
    segments = tuple(
        Segment(n, "f", 0.0, 0.0, when, (), (), text, 2_000)
        for n, (when, text) in enumerate(zip(spans, texts, strict=True))
    )
    made = Material(
        "f",
        "f",
        (),
        Path("f.mp4"),
        tuple(Cue(when, text) for when, text in zip(spans, texts, strict=True)),
        tuple(Word(Interval(t.end, t.end + 400), "So.") for t in spans),
        segments,
    )
    return planned(made, "train", draw(st.integers(5_000, 80_000)), Manner(draw(st.integers(0, 3))))


def sound(t: Ms) -> AudioChunk:
    """Sound that tells when it is: each sample is the chunk's number."""
    return AudioChunk(t, (t // CHUNK).to_bytes(2, "little") * 16 * CHUNK)


def media(plan: FilmPlan, keys: set[str], lag: Ms) -> list[VideoFrame | AudioChunk]:
    """As a decoder gives it that shows pictures up to ``lag`` after their sound, or before it."""
    frames = [(t + lag, VideoFrame(t, b"%d" % t, 64, 36, 0)) for t in plan.times(keys)]
    shown = [(t, frame) for t, frame in frames if frame.t < plan.length]
    heard = [(t + CHUNK, sound(t)) for t in range(0, plan.length, CHUNK)]
    items: list[tuple[Ms, VideoFrame | AudioChunk]] = [*heard, *shown]
    return [item for _, item in sorted(items, key=lambda pair: pair[0])]


def projected(plan: FilmPlan, keys: set[str], lag: Ms) -> list[Example]:
    projection = Projection(plan, keys, sound=True)
    found: list[Example | Taken] = []
    for item in media(plan, keys, lag):
        found += projection.feed(item)
    found += projection.finish()
    return [
        one if isinstance(one, Example) else segment_example(one, one.clip, "f") for one in found
    ]


@settings(max_examples=60, deadline=None)
@given(plans(), st.integers(-8_000, LAG - 1_000), st.integers(1, 4))
def test_each_chosen_example_comes_once_and_whole(plan: FilmPlan, lag: Ms, every: int) -> None:
    keys = {key for n, (key, _) in enumerate(sorted(plan.kinds())) if n % every == 0}
    found = projected(plan, keys, lag)
    assert sorted(example.key for example in found) == sorted(keys)
    for example in found:
        window = example.window
        if example.kind is Kind.SEGMENT:
            times = plan.shots[example.key].times
        else:
            inside = range(window.when.start // 1_000 * 1_000, window.when.end + 1, 1_000)
            first = window.when.start == 0 and window.when.duration < 8_000
            times = tuple(
                t
                for t in inside
                if (t > window.when.start or (first and t == 0)) and t < plan.length
            )
        assert tuple(frame.t for frame in window.frames) == times
        shown = [min(t, plan.length - 1) for t in times]
        assert [frame.jpeg for frame in window.frames] == [b"%d" % t for t in shown]
        heard = wav(window.audio, window.when)[44:]
        for t in range(window.when.start, window.when.end - 200, 333):
            number = int.from_bytes(heard[(at := 32 * (t - window.when.start)) : at + 2], "little")
            inside_chunk = t // CHUNK
            cut = t // CHUNK * CHUNK < window.when.start and example.kind is not Kind.SEGMENT
            assert number == inside_chunk or (cut and number == 0)


@settings(max_examples=30, deadline=None)
@given(plans())
def test_how_late_pictures_come_changes_nothing(plan: FilmPlan) -> None:
    keys = {key for key, _ in plan.kinds()}
    early, late = (
        {example.key: example for example in projected(plan, keys, lag)}
        for lag in (-5_000, LAG - 1_000)
    )
    assert early == late


@settings(max_examples=60, deadline=None)
@given(st.lists(plans(), max_size=4), st.none() | st.integers(0, 30))
def test_what_is_chosen_is_there_and_in_shares(found: list[FilmPlan], budget: int | None) -> None:
    unique = found[:1]
    keys = chosen(unique, PAPER, 0, budget)
    kinds = {key: kind for plan in unique for key, kind in plan.kinds()}
    assert keys["validation"] == set()
    assert keys["train"] <= set(kinds)
    total = len(keys["train"])
    assert budget is None or total <= budget
    for kind, share in PAPER.items():
        assert abs(sum(kinds[key] is kind for key in keys["train"]) - total * share) < 1
    assert in_shares(kinds.items(), PAPER, 0, budget) == keys["train"]
