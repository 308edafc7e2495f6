"""Captions ahead of the media: bounded, in order, and never silent where some were lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.caption_queue import MOST_CUES, MOST_IN_BUCKET, CaptionQueue
from strad.errors import OverloadedError, ProtocolError
from strad.speech import GapSource
from strad.timeline import Interval
from strad.wire.publishing import CaptionCue, Captions
from streaming.gaps import SpeechTimeline

pytestmark = pytest.mark.unit


def captions(until: float, *cues: tuple[float, float, str]) -> Captions:
    return Captions(until=until, cues=tuple(CaptionCue(start=a, end=b, text=t) for a, b, t in cues))


def read(queue: CaptionQueue, to: int, *, over: bool = False) -> SpeechTimeline:
    """What a session makes of it."""
    timeline = SpeechTimeline(GapSource.TRANSCRIPT)
    for known in queue.due(to, over=over):
        timeline.read(known)
    return timeline


def test_a_refused_message_leaves_a_hole_that_counts_as_speech() -> None:
    queue = CaptionQueue()
    queue.tell(captions(10.0, (1.0, 2.0, "hello")))
    with pytest.raises(ProtocolError):
        queue.tell(captions(20.0, (9.0, 12.0, "too late")))
    queue.tell(captions(30.0, (25.0, 26.0, "on")))
    queue.tell(captions(40.0))
    timeline = read(queue, 50_000)
    assert timeline.speech(Interval(0, 50_000)) == [
        Interval(1_000, 2_000),
        Interval(10_000, 30_000),
    ]
    assert timeline.known_to == 40_000


def test_a_hole_is_told_bit_by_bit() -> None:
    queue = CaptionQueue()
    queue.lose(None)
    queue.tell(captions(100.0))
    timeline = SpeechTimeline(GapSource.TRANSCRIPT)
    for to in (30_000, 60_000, 130_000):
        for known in queue.due(to):
            timeline.read(known)
            whole = Interval(0, timeline.known_to)
            assert timeline.speech(whole) == ([whole] if whole.duration else [])
    assert timeline.known_to == 100_000


def test_captions_lost_at_the_end_leave_no_silence() -> None:
    queue = CaptionQueue()
    queue.tell(captions(10.0))
    queue.lose(None)
    assert read(queue, 30_000, over=True).speech(Interval(0, 30_000)) == [Interval(10_000, 30_000)]


def test_too_much_ahead_is_refused_and_may_be_told_again() -> None:
    queue = CaptionQueue()
    for _ in range(MOST_CUES // 500 - 1):
        queue.tell(captions(0.0, *[(5.0, 6.0, "x")] * 500))
    queue.tell(captions(10.0, *[(5.0, 6.0, "x")] * 500))
    more = captions(60.0, (50.0, 51.0, "more"))
    with pytest.raises(OverloadedError):
        queue.tell(more)
    assert read(queue, 30_000).speech(Interval(0, 30_000))[0].start == 5_000
    queue.tell(more)
    assert read(queue, 100_000).speech(Interval(30_000, 100_000)) == [Interval(50_000, 51_000)]


def test_more_text_than_anybody_can_say_is_speech_without_words() -> None:
    queue = CaptionQueue()
    queue.tell(captions(60.0, *[(n / 10, n / 10 + 5, "x " * 1_000) for n in range(100)]))
    facts = list(queue.due(60_000))
    assert sum(len(fact.words) for fact in facts) * 2 <= MOST_IN_BUCKET
    timeline = SpeechTimeline(GapSource.TRANSCRIPT)
    for fact in facts:
        timeline.read(fact)
    assert timeline.speech(Interval(0, 60_000)) == [Interval(0, 14_900)]


TIMES = st.floats(0, 100).map(lambda t: round(t, 1))


@given(
    st.lists(
        st.tuples(TIMES, st.lists(st.tuples(TIMES, st.floats(0, 20)), max_size=4), st.booleans())
    ),
    st.lists(st.integers(0, 130_000), max_size=5),
)
def test_nothing_said_and_nothing_lost_is_ever_silence(
    told: list[tuple[float, list[tuple[float, float]], bool]], looks: list[int]
) -> None:
    """Whatever comes in whatever order: spans of cues taken, and of messages lost, are speech."""
    queue = CaptionQueue()
    timeline = SpeechTimeline(GapSource.TRANSCRIPT)
    spans: list[Interval] = []
    until, lost = 0, False
    for at, (end, cues, lose) in enumerate(told):
        message = captions(end, *((a, a + length, "word") for a, length in cues))
        if lose:
            queue.lose(None)
            lost = True
            continue
        try:
            queue.tell(message)
        except ProtocolError:
            lost = True
            continue
        spans += [Interval(round(c.start * 1000), round(c.end * 1000)) for c in message.cues]
        if lost:
            spans.append(Interval(until, round(end * 1000)))
        until, lost = round(end * 1000), False
        if at < len(looks):
            for known in queue.due(looks[at]):
                timeline.read(known)
    for known in queue.due(200_000, over=True):
        timeline.read(known)
    speech = timeline.speech(Interval(0, 300_000))
    assert all(
        any(s.start <= a.start and a.end <= s.end for s in speech) for a in spans if a.duration
    )
