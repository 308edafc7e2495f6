"""Streams over any event log: what any process says of them, who may publish, and who ends them."""

from __future__ import annotations

import asyncio
import gc
from contextlib import AsyncExitStack

import pytest

from service.eventlog.memory import MemoryEventLog
from service.eventlog.opening import open_event_log
from service.eventlog.retention import Retention
from service.settings import Limits
from service.streams import Stream, Streams, check_name
from strad.errors import (
    DescriberError,
    InputError,
    NotOwnedError,
    OverloadedError,
    PeerGoneError,
    TakenError,
    UnknownLogError,
)
from strad.wire.viewing import StreamState
from tests.service.eventlog.kinds import ABOUT, Kind, said
from tests.service.redis_server import RedisServer
from tests.virtual_time import run

pytestmark = pytest.mark.service

LIMITS = Limits(streams=2, viewers=2)
LIVE, ENDED, WAITING = StreamState.LIVE, StreamState.ENDED, StreamState.WAITING
GRACE = 60.0


async def all_seen(stream: Stream) -> list[str]:
    """The types of all messages, until the log is over."""
    seen: list[str] = []
    place, log = 0, stream.log
    while not (stream.over and place >= log.last):
        if not await log.wait(place):
            break
        for entry in await log.read(place):
            seen.append(entry.message.type)
            place = entry.seq
    return seen


async def publish(streams: Streams, name: str = "news") -> str:
    """A whole stream; its log's name."""
    async with streams.publishing(name, ABOUT) as stream:
        await stream.move(LIVE)
        await stream.log.append(said)
        await stream.end(None, None)
    return stream.log.name


async def break_off(streams: Streams, name: str = "news") -> str:
    """A stream left without an end; its log's name."""
    async with streams.publishing(name, ABOUT) as stream:
        await stream.move(LIVE)
        await stream.log.append(said)
    return stream.log.name


def test_a_viewer_who_waits_sees_the_stream_from_its_beginning(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            streams = Streams(LIMITS, log)
            async with streams.viewing("news") as stream:
                assert (stream.state, stream.about, stream.over) == (WAITING, None, False)
                assert [line.state for line in await streams.listing()] == [WAITING]
                assert await streams.find("news") is None
                watching = tasks.create_task(all_seen(stream))
                name = await publish(streams)
                assert await watching == ["state", "withdraw", "state", "end"]
                assert stream.log.name == name
                assert (stream.state, stream.about, stream.failure) == (ENDED, ABOUT, None)

    asyncio.run(go())


def test_a_stream_is_live_while_it_is_published_and_then_its_track_is_there(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log:
            streams = Streams(LIMITS, log)
            async with streams.publishing("news", ABOUT) as stream:
                assert streams.live == 1
                assert stream.state is LIVE
                await stream.move(StreamState.DRAINING)
                found = await streams.find("news")
                assert found is stream
                assert [tuple(line) for line in await streams.listing()] == [
                    ("news", StreamState.DRAINING, 0, 1)
                ]
                await stream.end(None, DescriberError("a bug"))
            assert streams.live == 0
            found = await streams.find("news")
            assert found is not None
            assert isinstance(found.failure, DescriberError)
            assert [e.message.type for e in await found.log.read(0)] == [
                *("state", "error", "state", "end")
            ]

    asyncio.run(go())


def test_a_taken_stream_and_one_too_many_are_refused(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, AsyncExitStack() as stack:
            streams = Streams(LIMITS, log)
            await stack.enter_async_context(streams.publishing("a", ABOUT))
            with pytest.raises(TakenError, match="already being published"):
                await stack.enter_async_context(streams.publishing("a", ABOUT))
            await stack.enter_async_context(streams.publishing("b", ABOUT))
            with pytest.raises(OverloadedError):
                await stack.enter_async_context(streams.publishing("c", ABOUT))
            for name in ("a", "a", "x", "y"):
                await stack.enter_async_context(streams.viewing(name))
            for name in ("a", "z"):
                with pytest.raises(OverloadedError):
                    await stack.enter_async_context(streams.viewing(name))
            streams.closed = True
            with pytest.raises(OverloadedError):
                await stack.enter_async_context(streams.viewing("b"))

    asyncio.run(go())


def test_a_broken_off_stream_waits_and_can_be_gone_on_with(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, asyncio.timeout(5):
            streams = Streams(LIMITS, log)
            name = await break_off(streams)
            assert [line.state for line in await streams.listing()] == [WAITING]
            async with streams.viewing("news") as watched:
                assert (watched.state, watched.about) == (WAITING, ABOUT)
                async with streams.publishing("news", ABOUT, resume=name) as stream:
                    assert stream is watched
                    await stream.move(LIVE)
                    assert watched.state is LIVE
                    await stream.end(None, None)
                assert await all_seen(watched) == ["state", "withdraw", "state", "state", "end"]
            with pytest.raises(UnknownLogError):
                async with streams.publishing("news", ABOUT, resume=name):
                    pytest.fail("it has ended")

    asyncio.run(go())


def test_who_watched_before_it_was_broken_off_sees_what_comes_after(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            streams = Streams(Limits(streams=1), log)
            async with AsyncExitStack() as stack:
                async with streams.publishing("news", ABOUT) as stream:
                    await stream.move(LIVE)
                    watched = await stack.enter_async_context(streams.viewing("news"))
                    watching = tasks.create_task(all_seen(watched))
                    name = stream.log.name
                del stream
                gc.collect()
                async with streams.publishing("news", ABOUT, resume=name) as again:
                    with pytest.raises(OverloadedError):
                        async with streams.publishing("other", ABOUT):
                            pytest.fail("one is all there is room for")
                    await again.end(None, None)
                assert await watching == ["state", "state", "end"]

    asyncio.run(go())


def test_an_owner_that_is_taken_over_is_stopped_and_the_stream_goes_on(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            streams = Streams(Limits(streams=1), log)
            taken: asyncio.Future[str] = asyncio.get_running_loop().create_future()

            async def first() -> None:
                async with streams.publishing("news", ABOUT) as stream:
                    await stream.move(LIVE)
                    taken.set_result(stream.log.name)
                    await asyncio.sleep(3_600)

            async def refused() -> bool:
                try:
                    await first()
                except NotOwnedError:
                    return True
                return False

            stopped = tasks.create_task(refused())
            name = await taken
            async with streams.publishing("news", ABOUT, resume=name, take_over=True) as stream:
                assert await stopped
                assert streams.live == 1
                assert (stream.state, stream.log.last) == (LIVE, 1)
                await stream.end(None, None)
            assert streams.live == 0

    asyncio.run(go())


def test_who_does_not_come_back_within_the_grace_time_is_ended(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, asyncio.timeout(5):
            streams = Streams(LIMITS, log)
            await break_off(streams)
            async with streams.publishing("other", ABOUT), streams.viewing("news") as watched:
                for now in (100.0, 130.0, 159.9):
                    await streams.end_abandoned(now, GRACE)
                    assert watched.state is WAITING
                await streams.end_abandoned(160.0, GRACE)
                assert await all_seen(watched) == ["state", "withdraw", "error", "state", "end"]
                assert isinstance(watched.failure, PeerGoneError)
                assert "did not come back" in str(watched.failure)
                await streams.end_abandoned(300.0, GRACE)
                assert [line.state for line in await streams.listing()] == [ENDED, LIVE]

    asyncio.run(go())


def test_who_comes_back_has_the_whole_grace_time_again(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log:
            streams = Streams(LIMITS, log)
            name = await break_off(streams)
            await streams.end_abandoned(0.0, GRACE)
            async with streams.publishing("news", ABOUT, resume=name):
                await streams.end_abandoned(50.0, GRACE)
                await streams.end_abandoned(100.0, GRACE)
            await streams.end_abandoned(110.0, GRACE)
            await streams.end_abandoned(169.0, GRACE)
            assert [line.state for line in await streams.listing()] == [WAITING]
            await streams.end_abandoned(170.0, GRACE)
            assert [line.state for line in await streams.listing()] == [ENDED]

    asyncio.run(go())


def test_a_stream_published_anew_ends_the_one_that_was_broken_off(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, asyncio.timeout(5):
            streams = Streams(LIMITS, log)
            await break_off(streams)
            async with streams.viewing("news") as earlier:
                name = await publish(streams)
                assert earlier.log.name != name
                assert (await all_seen(earlier))[-3:] == ["error", "state", "end"]
                assert "began anew" in str(earlier.failure)
            async with streams.viewing("news") as later:
                assert later.log.name == name

    asyncio.run(go())


def test_leaving_lets_go_of_those_who_wait_for_others(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log, asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            streams = Streams(LIMITS, log)
            async with streams.viewing("nobody") as waited, streams.publishing("news", ABOUT):
                watching = tasks.create_task(all_seen(waited))
                async with streams.viewing("news") as watched:
                    streams.leave(PeerGoneError("shutting down"))
                    assert await watching == []
                    assert isinstance(waited.failure, PeerGoneError)
                    assert not watched.over
            await streams.wait_for_viewers(1.0)

    asyncio.run(go())


def test_waiting_for_viewers_has_a_limit() -> None:
    async def go() -> float:
        streams = Streams(LIMITS, MemoryEventLog())
        async with streams.viewing("news"):
            await streams.wait_for_viewers(5.0)
        return asyncio.get_running_loop().time()

    assert run(go()) == pytest.approx(5.0)


def test_a_restart_knows_earlier_streams_and_ends_those_nobody_resumes(kind: Kind) -> None:
    if not kind.lasts:
        pytest.skip("memory goes with its process")

    async def go() -> None:
        async with kind.open() as log:
            streams = Streams(LIMITS, log)
            await publish(streams, "a")
            await break_off(streams, "b")
        async with kind.open() as log, asyncio.timeout(5):
            streams = Streams(LIMITS, log)
            assert [tuple(line) for line in await streams.listing()] == [
                ("a", ENDED, 0, 4),
                ("b", WAITING, 0, 2),
            ]
            async with streams.viewing("a") as stream:
                assert (stream.about, stream.over) == (ABOUT, True)
                assert [entry.seq for entry in await stream.log.read(2)] == [3, 4]
            await streams.end_abandoned(0.0, GRACE)
            await streams.end_abandoned(61.0, GRACE)
            assert [line.state for line in await streams.listing()] == [ENDED, ENDED]

    asyncio.run(go())


def test_only_so_many_ended_streams_are_remembered(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open(Retention(logs=2)) as log:
            streams = Streams(LIMITS, log)
            for name in "abc":
                await publish(streams, name)
            assert [line.stream for line in await streams.listing()] == ["b", "c"]
            assert await streams.find("a") is None

    asyncio.run(go())


@pytest.mark.slow
def test_any_replica_serves_viewers_and_one_of_them_ends_what_is_abandoned(
    redis_server: RedisServer,
) -> None:
    async def go() -> None:
        redis_server.empty()
        address = redis_server.address
        async with (
            open_event_log(address) as one,
            open_event_log(address) as two,
            asyncio.timeout(10),
            asyncio.TaskGroup() as tasks,
        ):
            here, there = Streams(LIMITS, one), Streams(LIMITS, two)
            async with there.viewing("news") as watched:
                watching = tasks.create_task(all_seen(watched))
                async with here.publishing("news", ABOUT) as stream:
                    await stream.move(LIVE)
                    assert await watched.log.wait(0)
                    await there.end_abandoned(0.0, GRACE)
                    assert (watched.state, watched.about) == (LIVE, ABOUT)
                    assert [tuple(line) for line in await there.listing()] == [("news", LIVE, 1, 1)]
                    with pytest.raises(TakenError, match="already being published"):
                        async with there.publishing("news", ABOUT):
                            pytest.fail("it is published elsewhere")
                for now in (100.0, 161.0):
                    async with asyncio.TaskGroup() as both:
                        both.create_task(here.end_abandoned(now, GRACE))
                        both.create_task(there.end_abandoned(now, GRACE))
                assert await watching == ["state", "error", "state", "end"]
                assert watched.state is ENDED
            found = await here.find("news")
            assert found is not None
            assert found.log.last == 4

    asyncio.run(go())


@pytest.mark.parametrize("name", ["", ".x", "a b", "a/b", "x" * 65, "ä", "a\n"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(InputError):
        check_name(name)
