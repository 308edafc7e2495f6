"""Words and gaps, as viewers are told of them."""

from __future__ import annotations

import pytest

from service.gap_watch import GapWatch
from strad.speech import GapSource, Word
from strad.timeline import Interval
from strad.wire.viewing import MAX_WORDS, Aside, Gap, Words
from streaming.hearing import Heard, SpeechKnown, WordsKnown
from tests.fakes import Programme

pytestmark = pytest.mark.unit


def told(*heard: Heard, source: GapSource = GapSource.UNION) -> list[Aside]:
    watch = GapWatch(source, 500)
    return [aside for item in heard for aside in watch.take(item)]


def speech(until: int, *spans: tuple[int, int]) -> SpeechKnown:
    return SpeechKnown(until, tuple(Interval(a, b) for a, b in spans))


def test_a_gap_opens_when_it_is_long_enough_and_closes_when_speech_begins() -> None:
    seen = told(speech(400), speech(600), speech(2_000), speech(3_000, (2_500, 3_000)))
    assert seen == [Gap(start=0.0), Gap(start=0.0, end=2.5)]


def test_a_short_gap_is_told_once() -> None:
    assert told(speech(3_000, (0, 1_000), (1_700, 3_000))) == [Gap(start=1.0, end=1.7)]
    assert told(speech(3_000, (0, 1_000), (1_300, 3_000))) == []


def test_a_gap_in_which_words_are_found_later_was_none() -> None:
    word = Word(Interval(100, 4_000), "so")
    seen = told(speech(2_000), WordsKnown(1_900, (word,)), speech(5_000))
    gaps = [aside for aside in seen if isinstance(aside, Gap)]
    assert gaps == [Gap(start=0.0), Gap(start=0.0, end=0.0), Gap(start=4.0)]


def test_words_come_once_with_their_times() -> None:
    word = Word(Interval(1_000, 1_400), "hello")
    seen = told(WordsKnown(1_500, (word,)), WordsKnown(3_000))
    words = [aside for aside in seen if isinstance(aside, Words)]
    assert [(w.text, w.start, w.end) for m in words for w in m.words] == [("hello", 1.0, 1.4)]
    assert words[0].until == 1.5


def test_many_words_come_in_several_messages() -> None:
    many = tuple(Word(Interval(n, n + 1), str(n)) for n in range(MAX_WORDS + 1))
    words = [aside for aside in told(WordsKnown(9_000, many)) if isinstance(aside, Words)]
    assert [len(message.words) for message in words] == [MAX_WORDS, 1]


def test_all_gaps_of_a_programme_are_told_as_it_has_them() -> None:
    programme = Programme(20_000, [(2_000, 5_000), (9_000, 9_800), (10_100, 12_000)])
    heard = [fact for fact in programme.facts() if isinstance(fact, SpeechKnown | WordsKnown)]
    gaps = [aside for aside in told(*heard) if isinstance(aside, Gap)]
    closed = [(gap.start, gap.end) for gap in gaps if gap.end is not None]
    assert closed == [(0.0, 2.0), (5.0, 9.0)]
    assert [gap.start for gap in gaps if gap.end is None] == [0.0, 5.0, 12.0]
