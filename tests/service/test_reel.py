"""The reel joins the media of several connections; spliced ears hear each piece to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest

from service.reel import FLUSH_LIMIT, Reel, Spool
from service.spliced_ears import SplicedEars
from strad.errors import MediaError, StradError
from strad.timeline import Interval
from streaming.clock import Reached
from streaming.gaps import SpeechSoFar
from streaming.hearing import Heard, SpeechKnown, Unheard
from streaming.media import AudioChunk, Media, MediaNotice, VideoFrame
from streaming.memory import Memory
from tests.fakes import chunk, frame
from tests.service.fakes import ReadingEars
from tests.virtual_time import run as run_virtual

pytestmark = pytest.mark.unit

GRACE = 60.0


def seconds(start: int, count: int) -> list[Media]:
    """A picture and a second of sound for each second from ``start`` ms on."""
    return [
        item
        for t in range(start, start + count * 1_000, 1_000)
        for item in (frame(t), chunk(t, 1_000))
    ]


def spool(
    media: Iterable[Media],
    at: int | None = None,
    *,
    error: StradError | None = None,
    hang: bool = False,
) -> Spool:
    """Holds ``media``, moved to where it begins, and fails or hangs at the end where told to."""

    @asynccontextmanager
    async def opened(begins: int) -> AsyncIterator[AsyncIterator[Media]]:
        yield moved(begins)

    async def moved(begins: int) -> AsyncIterator[Media]:
        for item in media:
            match item:
                case VideoFrame(t=t):
                    yield frame(t + begins)
                case AudioChunk(t=t, pcm=pcm):
                    yield AudioChunk(t + begins, pcm)
                case _:
                    yield item
        if error is not None:
            raise error
        if hang:
            await asyncio.sleep(1_000_000)

    return Spool(opened, at, lambda _: True)


class Player:
    """Takes all the media of a reel, one spool after another."""

    def __init__(self, memory: Memory | None = None, *, listened: bool = True) -> None:
        self.given_up = 0
        self.rests = 0
        self.items: list[Media | Unheard] = []
        self.reel = Reel(memory or Memory(), grace=GRACE, given_up=self._give_up, listened=listened)

    def _give_up(self) -> None:
        self.given_up += 1

    async def play(self, *spools: Spool, finish: bool = True) -> Player:
        left = list(spools)
        self.reel.put(left.pop(0))

        async def rest() -> None:
            self.rests += 1
            if left:
                self.reel.put(left.pop(0))
            elif finish:
                self.reel.finish()

        async for item in self.reel.media(rest):
            self.items.append(item)
        return self

    @property
    def pictures(self) -> list[int]:
        return [item.t for item in self.items if isinstance(item, VideoFrame)]

    @property
    def sound(self) -> list[tuple[int, int]]:
        return [
            (item.when.start, item.when.end) for item in self.items if isinstance(item, AudioChunk)
        ]


def test_media_goes_on_where_the_stream_stands() -> None:
    player = run_virtual(Player().play(spool(seconds(0, 3)), spool(seconds(0, 2))))
    assert player.pictures == [0, 1_000, 2_000, 3_000, 4_000]
    assert player.sound == [(t, t + 1_000) for t in range(0, 5_000, 1_000)]
    assert player.rests == 2


def test_what_overlaps_is_dropped_to_the_millisecond() -> None:
    player = run_virtual(Player().play(spool(seconds(0, 3)), spool(seconds(0, 3), at=1_500)))
    assert player.pictures == [0, 1_000, 2_000, 2_500, 3_500]
    assert player.sound[2:] == [(2_000, 3_000), (3_000, 3_500), (3_500, 4_500)]


def test_a_gap_is_told_only_where_no_ears_tell_it() -> None:
    for listened in (True, False):
        player = run_virtual(
            Player(listened=listened).play(spool(seconds(0, 2)), spool(seconds(0, 1), at=9_000))
        )
        told = [item for item in player.items if isinstance(item, Unheard)]
        assert told == ([] if listened else [Unheard(Interval(2_000, 9_000))])
        assert player.pictures == [0, 1_000, 9_000]


def test_it_waits_for_the_grace_time_and_no_longer() -> None:
    async def go() -> tuple[Player, float]:
        begun = asyncio.get_running_loop().time()
        player = await Player().play(spool(seconds(0, 2)), finish=False)
        return player, asyncio.get_running_loop().time() - begun

    player, took = run_virtual(go())
    assert player.given_up == 1
    assert took == pytest.approx(GRACE)


def test_media_that_fails_is_outlived_or_ends_all() -> None:
    broken = spool(seconds(0, 2), error=MediaError("cut off"))
    player = run_virtual(Player().play(broken, spool(seconds(0, 1))))
    assert player.pictures == [0, 1_000, 2_000]
    broken.outlived = lambda _: False
    with pytest.raises(MediaError, match="cut off"):
        run_virtual(Player().play(broken))


def test_it_goes_on_from_a_memory() -> None:
    memory = Memory(reached=Reached(5_000, 6_000, 6_500), speech=SpeechSoFar(vad_until=5_200))
    player = run_virtual(Player(memory).play(spool(seconds(0, 3), at=4_000)))
    assert player.pictures == []
    assert player.sound == [(5_200, 6_000), (6_000, 7_000)]
    assert run_virtual(Player(memory).play(spool(seconds(0, 2)))).pictures == [6_500, 7_500]


def test_a_decoder_that_hangs_at_its_end_is_left() -> None:
    hanging = spool(seconds(0, 1), hang=True)

    async def go() -> tuple[Player, float]:
        begun = asyncio.get_running_loop().time()
        asyncio.get_running_loop().call_later(100.0, hanging.end)
        player = await Player().play(hanging, spool(seconds(0, 1)))
        return player, asyncio.get_running_loop().time() - begun

    player, took = run_virtual(go())
    assert player.pictures == [0, 1_000]
    assert took == pytest.approx(100.0 + FLUSH_LIMIT)


def test_notices_pass() -> None:
    notice = MediaNotice("size-change", 0, "the size changed")
    player = run_virtual(Player().play(spool([notice, *seconds(0, 1)])))
    assert player.items[0] == notice


def test_each_piece_of_sound_is_heard_to_its_end_and_what_lies_between_is_not() -> None:
    made: list[ReadingEars] = []

    def make() -> ReadingEars:
        made.append(ReadingEars(recognise=False))
        return made[-1]

    async def go() -> list[Heard]:
        ears = SplicedEars(make, heard_to=1_000)
        for begins in (1_000, 2_000, 7_000):
            await ears.hear(chunk(begins, 500))
            await ears.hear(chunk(begins + 500, 500))
            await ears.rest()
            await ears.rest()
        await ears.finish()
        heard = [finding async for finding in ears.findings()]
        await ears.aclose()
        return heard

    heard = run_virtual(go())
    assert [known.until for known in heard if isinstance(known, SpeechKnown)] == [
        *(1_500, 2_000, 2_500, 3_000, 7_500, 8_000)
    ]
    assert heard.index(Unheard(Interval(3_000, 7_000))) == 4
    assert len(made) == 3
    assert all(ears.closed for ears in made)


def test_ears_that_never_heard_anything_are_closed() -> None:
    ears = SplicedEars(lambda: ReadingEars(recognise=True))

    async def go() -> list[Heard]:
        await ears.finish()
        found = [finding async for finding in ears.findings()]
        await ears.aclose()
        return found

    assert run_virtual(go()) == []
