"""The feed: captions and epochs go in before the next piece of media, in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.feed import MOST_TOLD, Feed
from strad import timeline
from strad.errors import OverloadedError, ProtocolError
from strad.wire.publishing import CaptionCue, Captions, Epoch
from streaming.hearing import WordsKnown
from streaming.media import EpochStarted, Media, VideoFrame
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit


def captions(until: float, *cues: tuple[float, float, str]) -> Captions:
    return Captions(until=until, cues=tuple(CaptionCue(start=a, end=b, text=t) for a, b, t in cues))


async def media(*pieces: Media) -> AsyncIterator[Media]:
    for piece in pieces:
        yield piece


def test_what_is_told_goes_before_the_next_piece_and_the_rest_at_the_end() -> None:
    async def go() -> list[object]:
        feed = Feed()
        feed.tell(captions(2.0, (0.0, 1.0, "hello")))
        facts: list[object] = []
        async for fact in feed.mix(media(frame(0), chunk(0, 1_000))):
            facts.append(fact)
            if isinstance(fact, VideoFrame):
                feed.tell(Epoch(player=60.0))
        feed.tell(captions(3.0))
        return facts

    kinds = [type(fact) for fact in asyncio.run(go())]
    assert [kind.__name__ for kind in kinds] == [
        "WordsKnown",
        "WordsKnown",
        "VideoFrame",
        "EpochStarted",
        "AudioChunk",
    ]


def test_an_epoch_begins_at_its_time_or_at_the_live_edge() -> None:
    async def go() -> list[object]:
        feed = Feed()
        facts: list[object] = []
        async for fact in feed.mix(media(chunk(0, 1_000), chunk(1_000, 500))):
            facts.append(fact)
            if len(facts) == 1:
                feed.tell(Epoch(player=60.0, rate=1.5))
                feed.tell(Epoch(stream=1.25, player=0.0))
        assert feed.live_edge == 1_500
        return facts

    _, first, _, second = asyncio.run(go())
    assert first == EpochStarted(timeline.Epoch(1_000, 60_000, 1.5))
    assert second == EpochStarted(timeline.Epoch(1_250, 0, 1.0))


def test_captions_that_step_back_are_refused() -> None:
    feed = Feed()
    feed.tell(captions(5.0, (1.0, 2.0, "a")))
    for late in (captions(4.0), captions(6.0, (4.9, 5.5, "b"))):
        with pytest.raises(ProtocolError, match=r"5 s"):
            feed.tell(late)
    feed.tell(captions(6.0, (5.0, 5.5, "c")))


def test_only_so_many_epochs_may_be_told_ahead_of_the_media() -> None:
    feed = Feed()
    for n in range(MOST_TOLD):
        feed.tell(Epoch(player=float(n)))
    with pytest.raises(OverloadedError, match="ahead of the media"):
        feed.tell(Epoch(player=5_000.0))


async def heard_by(feed: Feed, *pieces: Media) -> list[WordsKnown]:
    return [fact async for fact in feed.mix(media(*pieces)) if isinstance(fact, WordsKnown)]


def test_the_words_of_captions_come_in_order() -> None:
    feed = Feed()
    feed.tell(captions(9.0, (4.0, 5.0, "later"), (1.0, 2.0, "first")))
    known = asyncio.run(heard_by(feed))
    assert [word.text for fact in known for word in fact.words] == ["first", "later"]
    assert known[-1].until == 9_000


def test_a_sound_in_brackets_is_not_speech() -> None:
    feed = Feed()
    feed.tell(captions(9.0, (1.0, 2.0, "[door slams]"), (4.0, 5.0, "ANNA: Who is it?")))
    known = asyncio.run(heard_by(feed))
    assert [word.text for fact in known for word in fact.words] == ["Who", "is", "it?"]


def test_captions_become_words_only_when_the_media_is_near() -> None:
    feed = Feed()
    feed.tell(captions(1_000_000.0, *((n * 10.0, n * 10.0 + 1, "line") for n in range(500))))
    known = asyncio.run(heard_by(feed, *(chunk(n * 1_000, 1_000) for n in range(60))))
    assert [word.when.start for fact in known for word in fact.words] == list(
        range(0, 90_000, 10_000)
    )
    assert known[-1].until == 90_000
    assert len(known) < 20


def test_the_loop_goes_on_while_a_heap_of_captions_becomes_words() -> None:
    async def go() -> int:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        feed = Feed()
        for n in range(10):
            feed.tell(captions(n / 1_000, *[(1.0, 9.0, "x " * 200)] * 500))
        feed.tell(captions(5.0))
        async with asyncio.TaskGroup() as tasks:
            counting = tasks.create_task(count())
            await heard_by(feed, chunk(0, 1_000))
            counting.cancel()
        return turns

    assert asyncio.run(go()) > 1_000
