"""Speech as it becomes known, and what it leaves free."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.speech import GapSource, Word
from strad.timeline import Interval, covered, merge
from streaming.gaps import SpeechTimeline, join_words
from streaming.hearing import SpeechKnown, WordsKnown

pytestmark = pytest.mark.unit

pauses = st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 5_000)), max_size=30)


def lay_out(pairs: list[tuple[int, int]]) -> list[Interval]:
    spans, t = [], 0
    for pause, length in pairs:
        spans.append(Interval(t + pause, t + pause + length))
        t += pause + length
    return spans


def told(spans: list[Interval], end: int) -> SpeechTimeline:
    timeline = SpeechTimeline(GapSource.VAD)
    for span in spans:
        timeline.hear(SpeechKnown(span.end, (span,)))
    timeline.hear(SpeechKnown(end))
    return timeline


@given(pauses, st.integers(1, 3_000))
def test_a_gap_never_overlaps_speech_and_is_long_enough(
    pairs: list[tuple[int, int]], min_gap: int
) -> None:
    spans = lay_out(pairs)
    end = (spans[-1].end if spans else 0) + 1_000
    gaps = told(spans, end).gaps(Interval(0, end), min_gap)
    assert not any(gap.when.overlaps(span) for gap in gaps for span in spans)
    assert all(gap.when.duration >= min_gap for gap in gaps)


@given(pauses)
def test_speech_and_gaps_tile_the_timeline(pairs: list[tuple[int, int]]) -> None:
    spans = lay_out(pairs)
    end = (spans[-1].end if spans else 0) + 777
    timeline = told(spans, end)
    whole = Interval(0, end)
    gaps = [gap.when for gap in timeline.gaps(whole, 1)]
    assert merge([*timeline.speech(whole), *gaps]) == [whole]
    assert covered(gaps) + covered(spans) == end


@given(pauses, st.randoms(use_true_random=False))
def test_the_order_in_which_speech_becomes_known_does_not_matter(
    pairs: list[tuple[int, int]], random: object
) -> None:
    spans = lay_out(pairs)
    end = spans[-1].end if spans else 1
    shuffled = list(spans)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    late = SpeechTimeline(GapSource.VAD)
    for span in shuffled:
        late.hear(SpeechKnown(end, (span,)))
    assert late.speech(Interval(0, end)) == merge(spans)


def test_only_the_gap_at_the_decided_end_is_open() -> None:
    timeline = told([Interval(1_000, 2_000)], 4_000)
    gaps = timeline.gaps(Interval(0, 10_000), 500)
    assert [(gap.when, gap.closed) for gap in gaps] == [
        (Interval(0, 1_000), True),
        (Interval(2_000, 4_000), False),
    ]


def test_each_source_counts_only_where_it_is_asked_for() -> None:
    heard = SpeechKnown(10_000, (Interval(1_000, 2_000),))
    read = WordsKnown(8_000, (Word(Interval(5_000, 6_000), "hello"),))
    whole = Interval(0, 10_000)
    found = {}
    for source in GapSource:
        timeline = SpeechTimeline(source)
        timeline.hear(heard)
        timeline.read(read)
        found[source] = (timeline.speech(whole), timeline.known_to)
    assert found == {
        GapSource.VAD: ([Interval(1_000, 2_000)], 10_000),
        GapSource.TRANSCRIPT: ([Interval(5_000, 6_000)], 8_000),
        GapSource.UNION: ([Interval(1_000, 2_000), Interval(5_000, 6_000)], 10_000),
    }


def test_where_words_are_lost_is_speech_unless_only_vad_decides() -> None:
    found = {}
    for source in GapSource:
        timeline = SpeechTimeline(source)
        timeline.read(WordsKnown(8_000, wordless=(Interval(2_000, 4_000),)))
        found[source] = timeline.speech(Interval(0, 8_000))
    lost = [Interval(2_000, 4_000)]
    assert found == {GapSource.VAD: [], GapSource.TRANSCRIPT: lost, GapSource.UNION: lost}


def test_short_pauses_between_words_are_speech() -> None:
    words = tuple(Word(Interval(a, b), "x") for a, b in [(0, 400), (600, 900), (1_300, 1_500)])
    assert join_words(words) == [Interval(0, 900), Interval(1_300, 1_500)]


def test_old_speech_is_forgotten_and_known_time_is_not() -> None:
    timeline = told([Interval(0, 1_000), Interval(5_000, 6_000)], 9_000)
    timeline.forget(4_000)
    assert timeline.speech(Interval(0, 9_000)) == [Interval(5_000, 6_000)]
    assert timeline.known_to == 9_000


def test_an_empty_span_is_no_speech() -> None:
    timeline = told([], 2_000)
    timeline.hear(SpeechKnown(3_000, (Interval(2_500, 2_500),)))
    assert timeline.speech(Interval(0, 3_000)) == []
