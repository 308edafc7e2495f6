"""kill -9 in mid-stream, again and again, over SQLite: what was announced stands, once."""

from __future__ import annotations

import asyncio
import random
import re
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from clients.python.resuming import publish_on
from clients.python.viewer import watch
from strad.wire.answering import Summary
from strad.wire.publishing import Container, Hello
from strad.wire.viewing import Ad, Withdraw
from tests.service.spelled_service import QuietReel, SpelledService, spelled_service

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.usefixtures("soon_back")]

KILLS = 6
HELLO = Hello(container=Container.WEBM, delay=3.0)
PLAYLIST = "/v1/streams/news/descriptions.m3u8?segment=2"

SAID = re.compile(r"thing\d+ falls\d+")


class Player:
    """Polls the HLS track as players do, and remembers all that it was ever given."""

    def __init__(self, service: SpelledService) -> None:
        self._service = service
        self.first = self.end = self.polls = 0
        self.segments: dict[str, str] = {}

    async def play(self) -> None:
        """Until the playlist says that it has ended. A service that is away is asked again."""
        async with httpx.AsyncClient(base_url=self._service.url, timeout=30) as client:
            while True:
                try:
                    if await self._poll(client):
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.1)

    async def _poll(self, client: httpx.AsyncClient) -> bool:
        answer = await client.get(PLAYLIST)
        if answer.status_code in (404, 503) and not self.end:
            return False
        assert answer.status_code == 200, answer.text
        self.polls += 1
        (first,) = re.findall(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", answer.text)
        paths = re.findall(r"^descriptions/.*$", answer.text, re.MULTILINE)
        end = int(first) + len(paths)
        assert int(first) >= self.first, "the media sequence never goes back"
        assert end >= self.end, "what was listed is listed until it slides out"
        new = [path for path in paths if path not in self.segments]
        for path in [*new[:20], *new[-1:], *random.choices(paths, k=3)]:
            text = (await client.get(f"/v1/streams/news/{path}")).text
            assert self.segments.setdefault(path, text) == text, f"{path} has changed"
        self.first, self.end = int(first), end
        return "#EXT-X-ENDLIST" in answer.text


class Onlooker:
    """A viewer that comes back by itself; how much it has been told."""

    def __init__(self) -> None:
        self.ads: list[Ad] = []
        self.taken_back: dict[str, str] = {}
        """Why what was withdrawn was: a kill leaves media unheard, and AD over that may go."""
        self._grown = asyncio.Event()

    async def watch(self, service: SpelledService) -> None:
        async for message in watch(service.address(), patience=60):
            if isinstance(message, Ad):
                self.ads.append(message)
                self._grown.set()
            elif isinstance(message, Withdraw):
                self.taken_back[message.id] = message.reason

    async def until_more(self, count: int) -> None:
        async with asyncio.timeout(60):
            wanted = len(self.ads) + count
            while len(self.ads) < wanted:
                self._grown.clear()
                await self._grown.wait()


async def killed(service: SpelledService, onlooker: Onlooker, player: Player) -> Summary:
    """A stream whose service is killed now and then; what its publisher is told at the end."""
    chance, reel = random.Random(7), QuietReel(0.02)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(onlooker.watch(service))
        tasks.create_task(player.play())
        published = tasks.create_task(publish_on(service.address(), HELLO, reel))
        for _ in range(KILLS):
            await onlooker.until_more(chance.randrange(1, 8))
            await asyncio.sleep(chance.random())
            await service.kill()
            await service.start()
        await onlooker.until_more(2)
        reel.over.set()
    return await published


def test_kills_lose_double_and_change_nothing(tmp_path: Path) -> None:
    onlooker = Onlooker()

    async def go() -> tuple[str, Player, Summary]:
        async with spelled_service(f"sqlite:{tmp_path / 'log.sqlite'}") as service:
            player = Player(service)
            summary = await killed(service, onlooker, player)
            track = (await service.get("/v1/streams/news/descriptions.vtt")).text
            assert await service.end() == 0
            return track, player, summary

    track, player, summary = asyncio.run(go())
    texts = [ad.text for ad in onlooker.ads]
    assert len(set(texts)) == len(texts), "nothing twice"
    assert [ad.number for ad in onlooker.ads] == list(range(1, len(texts) + 1)), "nothing lost"
    assert summary.events == len(texts)
    assert onlooker.taken_back.keys() <= {ad.id for ad in onlooker.ads}, "only what was said goes"
    assert set(onlooker.taken_back.values()) <= {"unheard"}, "nobody speaks in this programme"
    standing = [ad for ad in onlooker.ads if ad.id not in onlooker.taken_back]
    in_order = sorted(standing, key=lambda ad: ad.start)
    assert SAID.findall(track) == [ad.text for ad in in_order]
    assert all(one.end <= other.start for one, other in pairwise(in_order))
    assert player.end * 2 >= summary.live_edge - 2
    assert player.polls > KILLS
    assert set(SAID.findall("".join(player.segments.values()))) <= set(texts)
