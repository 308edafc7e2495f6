"""Logs that version 1 wrote are read by this version, whatever keeps them."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.eventlog.entry import Entry
from service.eventlog.log import EventLog
from service.eventlog.opening import open_event_log
from service.streams import Stream
from strad.errors import DecoderError
from strad.wire.viewing import End, StreamState
from tests.service.eventlog.kinds import said
from tests.service.redis_server import RedisServer

pytestmark = pytest.mark.service

FIXTURES = Path(__file__).parents[2] / "fixtures" / "log-v1"
STREAMS = ("whole", "failed", "broken-off")


def lines(stream: str) -> list[str]:
    return (FIXTURES / f"{stream}.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("stream", STREAMS)
def test_each_message_is_read_and_says_the_same(stream: str) -> None:
    for number, line in enumerate(lines(stream), 1):
        entry = Entry.parse(line)
        assert (entry.seq, entry.json) == (number, line)
        assert kept(json.loads(line), json.loads(entry.message.to_json()))


def kept(earlier: object, now: object) -> bool:
    """Whether all that was said is still said; more may be."""
    if isinstance(earlier, dict) and isinstance(now, dict):
        return all(key in now and kept(value, now[key]) for key, value in earlier.items())
    return earlier == now


async def check(logs: EventLog) -> None:
    """The fixtures' streams are all there, and can be gone on with."""
    listed = {line.stream: line for line in await logs.listed()}
    assert list(listed) == list(STREAMS)
    assert [line.standing.ended for line in listed.values()] == [True, True, False]
    assert not any(line.owned for line in listed.values())
    for stream in STREAMS:
        log = await logs.find(stream)
        assert log is not None
        assert [entry.json for entry in await log.read(0)] == lines(stream)
        assert log.standing == listed[stream].standing
        assert await log.kept() == '{"cursor": 4.0}'
    whole, failed = [await as_stream(logs, stream) for stream in STREAMS[:2]]
    assert (whole.state, whole.failure) == (StreamState.ENDED, None)
    assert whole.about is not None
    assert whole.about.language == "pt-BR"
    end = (await whole.log.read(8))[0].message
    assert isinstance(end, End)
    assert end.summary is not None
    assert end.summary.waits == {"nothing new": 20, "failed": 1}
    assert isinstance(failed.failure, DecoderError)
    async with logs.own("broken-off", resume=listed["broken-off"].log) as log:
        assert (await log.append(said)).seq == 3


async def as_stream(logs: EventLog, name: str) -> Stream:
    log = await logs.find(name)
    assert log is not None
    return Stream(name, log)


def test_a_file_is_read(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_event_log(f"sqlite:{tmp_path / 'log.db'}") as logs:
            await check(logs)

    shutil.copy(FIXTURES / "log.db", tmp_path)
    asyncio.run(go())


@pytest.mark.slow
def test_a_redis_is_read(redis_server: RedisServer) -> None:
    async def go() -> None:
        async with open_event_log(redis_server.address) as logs:
            await check(logs)

    redis_server.empty()
    for command in commands():
        assert not redis_server.ask(*command).startswith(b"-")
    asyncio.run(go())


def commands() -> Iterator[list[str]]:
    for line in (FIXTURES / "redis.commands").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
