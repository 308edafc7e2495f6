"""The event log in Redis: shared by processes, away and back, killed, and refused where unsafe."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from service.eventlog import redis as redis_log
from service.eventlog.log import StreamLog
from service.eventlog.opening import open_event_log
from service.eventlog.retention import Retention
from strad.errors import InputError, LogError, NotOwnedError, TakenError
from tests.service.eventlog.kinds import end, live, numbers, said, say
from tests.service.redis_server import RedisServer, running_redis

pytestmark = [pytest.mark.service, pytest.mark.slow]


@pytest.fixture
def server(redis_server: RedisServer) -> RedisServer:
    redis_server.empty()
    return redis_server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RedisServer]:
    """One that a test may kill."""
    with running_redis(tmp_path) as started:
        yield started


async def follow(log: StreamLog, until: int) -> list[int]:
    """What a viewer sees up to a number, from the beginning."""
    seen: list[int] = []
    while not seen or seen[-1] < until:
        assert await log.wait(seen[-1] if seen else 0)
        seen += [entry.seq for entry in await log.read(seen[-1] if seen else 0)]
    return seen


def test_viewers_on_another_replica_see_all_as_it_comes(server: RedisServer) -> None:
    async def go() -> None:
        async with open_event_log(server.address) as here, open_event_log(server.address) as there:
            watched = await there.expect("news")
            async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
                viewers = [tasks.create_task(follow(watched, 200)) for _ in range(50)]
                async with here.own("news") as log:
                    assert log.name == watched.name
                    await say(log, 200)
                    assert await there.owned("news")
                for viewer in viewers:
                    assert await viewer == list(range(1, 201))
            assert connections(server) <= 6
            late = await there.find("news")
            assert late is watched

    asyncio.run(go())


def test_a_replica_that_did_not_watch_reads_the_newest(server: RedisServer) -> None:
    async def go() -> None:
        async with (
            open_event_log(server.address) as here,
            open_event_log(server.address) as there,
            here.own("news") as log,
        ):
            await say(log, 3)
            found = await there.find("news")
            assert found is not None
            assert found.last == 3
            await say(log, 3)
            assert await there.find("news") is found
            assert await numbers(found) == [1, 2, 3, 4, 5, 6]

    asyncio.run(go())


def test_an_owner_elsewhere_is_fenced_off_and_stopped(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_log, "RENEW_EVERY", 0.1)

    async def go() -> None:
        async with open_event_log(server.address) as here, open_event_log(server.address) as there:
            stopped = False
            async with asyncio.timeout(10), AsyncExitStack() as stack:
                try:
                    async with here.own("news") as earlier:
                        await say(earlier, 2)
                        with pytest.raises(TakenError, match="already being published"):
                            await stack.enter_async_context(there.own("news", resume=earlier.name))
                        newer = await stack.enter_async_context(
                            there.own("news", resume=earlier.name, take_over=True)
                        )
                        await say(newer, 1)
                        with pytest.raises(NotOwnedError):
                            await earlier.append(said)
                        await asyncio.sleep(5)
                except NotOwnedError:
                    stopped = True
                await say(newer, 1)
                assert stopped
                assert await numbers(newer) == [1, 2, 3, 4]

    asyncio.run(go())


def test_a_silent_owner_is_told_by_its_renewal(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_log, "RENEW_EVERY", 0.1)

    async def go() -> None:
        async with (
            open_event_log(server.address) as here,
            open_event_log(server.address) as there,
            here.own("news") as log,
            there.own("news", resume=log.name, take_over=True),
            asyncio.timeout(5),
        ):
            await asyncio.sleep(60)

    with pytest.raises(NotOwnedError):
        asyncio.run(go())


def test_a_lease_runs_out_when_its_owner_died(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_log, "LEASE", 0.5)
    monkeypatch.setattr(redis_log, "RENEW_EVERY", 60.0)

    async def go() -> None:
        async with (
            open_event_log(server.address) as here,
            open_event_log(server.address) as there,
            asyncio.timeout(10),
            here.own("news") as log,
        ):
            await say(log, 1)
            assert await there.owned("news")
            while await there.owned("news"):  # noqa: ASYNC110 - Redis's own clock ends it
                await asyncio.sleep(0.05)
            await say(log, 1)
            async with there.own("news", resume=log.name) as next_owner:
                await say(next_owner, 1)
                assert await numbers(next_owner) == [1, 2, 3]
                with pytest.raises(NotOwnedError):
                    await log.append(said)

    with pytest.raises(NotOwnedError):
        asyncio.run(go())


def test_redis_away_for_ten_seconds_loses_nothing(own_server: RedisServer) -> None:
    async def go() -> None:
        loop = asyncio.get_running_loop()
        async with (
            open_event_log(own_server.address) as here,
            open_event_log(own_server.address) as there,
            asyncio.timeout(60),
            asyncio.TaskGroup() as tasks,
        ):
            watched = await there.expect("news")
            viewer = tasks.create_task(follow(watched, 15))
            async with here.own("news") as log:
                await say(log, 5)
                while watched.last < 5:  # noqa: ASYNC110 - what comes through Redis comes soon
                    await asyncio.sleep(0.01)
                await asyncio.to_thread(own_server.kill)
                gone = loop.time()
                appending = tasks.create_task(say(log, 10))
                await asyncio.sleep(10)
                assert not appending.done()
                assert (log.last, await numbers(watched)) == (5, [1, 2, 3, 4, 5])
                await asyncio.to_thread(own_server.start)
                await appending
                assert await viewer == list(range(1, 16))
                assert loop.time() - gone < 20
                assert await here.owned("news")

    asyncio.run(go())


def test_redis_away_for_longer_than_an_append_waits_is_an_error(own_server: RedisServer) -> None:
    async def go() -> None:
        away = own_server.address + "?away=1.5"
        async with open_event_log(away) as logs, logs.own("news") as log:
            await say(log, 2)
            await asyncio.to_thread(own_server.kill)
            with pytest.raises(LogError, match=r"Redis at 127\.0\.0\.1:\d+ has been away for 1"):
                await log.append(said)
            assert log.last == 2
            await asyncio.to_thread(own_server.start)
            await say(log, 1)
            assert await numbers(log) == [1, 2, 3]

    asyncio.run(go())


@pytest.mark.parametrize("again", [True, False], ids=["the same again", "another"])
def test_a_message_kept_though_its_answer_was_lost_is_there_once(
    own_server: RedisServer, again: bool
) -> None:
    async def go() -> None:
        async with open_event_log(own_server.address + "?away=1") as logs, logs.own("news") as log:
            await say(log, 1)
            own_server.pause(True)
            try:
                with pytest.raises(LogError, match="has been away"):
                    await log.append(said)
            finally:
                own_server.pause(False)
            head = f"{{strad}}:head:{log.name}"
            while own_server.ask("HGET", head, "last") != b"$1\r\n2\r\n":  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            entry = await log.append(said if again else live)
            assert entry.seq == (2 if again else 3)
            assert await numbers(log) == list(range(1, entry.seq + 1))
            found = await logs.find("news")
            assert found is not None
            assert found.last == entry.seq

    asyncio.run(go())


def test_what_redis_lost_its_owner_gives_it_again(server: RedisServer) -> None:
    async def go() -> None:
        async with open_event_log(server.address) as logs, logs.own("news") as log:
            await say(log, 5)
            for seq in (4, 5):
                server.ask("XDEL", f"{{strad}}:log:{log.name}", f"{seq}-0")
            server.ask("XSETID", f"{{strad}}:log:{log.name}", "3-0")
            server.ask("HSET", f"{{strad}}:head:{log.name}", "last", "3")
            await say(log, 1)
        async with open_event_log(server.address) as logs:
            found = await logs.find("news")
            assert found is not None
            assert await numbers(found) == [1, 2, 3, 4, 5, 6]

    asyncio.run(go())


def test_everything_lost_is_no_ownership(server: RedisServer) -> None:
    async def go() -> None:
        async with open_event_log(server.address) as logs, logs.own("news") as log:
            await say(log, 5)
            server.empty()
            with pytest.raises(NotOwnedError):
                await log.append(said)

    asyncio.run(go())


def test_kill_9_of_redis_loses_nothing_announced(own_server: RedisServer) -> None:
    async def go() -> None:
        announced: list[int] = []

        async def publish(log: StreamLog) -> None:
            while len(announced) < 1_500:
                announced.append((await log.append(said)).seq)

        async with (
            open_event_log(own_server.address) as logs,
            asyncio.timeout(60),
            logs.own("news") as log,
            asyncio.TaskGroup() as tasks,
        ):
            publishing = tasks.create_task(publish(log))
            for least in (300, 700, 1_100):
                while len(announced) < least:  # noqa: ASYNC110 - a real server is killed
                    await asyncio.sleep(0.001)
                await asyncio.to_thread(own_server.kill)
                await asyncio.to_thread(own_server.start)
            await publishing
        async with open_event_log(own_server.address) as logs:
            found = await logs.find("news")
            assert found is not None
            assert announced == await numbers(found) == list(range(1, found.last + 1))

    asyncio.run(go())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--appendonly", "no"), "loses its data when it dies: start it with --appendonly yes"),
        (("--maxmemory-policy", "allkeys-lru"), r"throws keys away .*allkeys-lru.*noeviction"),
    ],
)
def test_a_redis_that_keeps_nothing_is_refused_unless_asked_for(
    tmp_path: Path, options: tuple[str, ...], words: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def go(address: str) -> None:
        async with open_event_log(address):
            pass

    with running_redis(tmp_path, *options) as started:
        with pytest.raises(LogError, match=words):
            asyncio.run(go(started.address))
        with caplog.at_level(logging.WARNING):
            asyncio.run(go(started.address + "?keep=maybe"))
        assert words.split(" ")[0] in caplog.text


def test_a_redis_that_may_lose_two_seconds_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go(address: str) -> None:
        async with open_event_log(address):
            pass

    with running_redis(tmp_path, "--appendfsync", "everysec") as started:
        asyncio.run(go(started.address))
    assert "appendfsync everysec" in caplog.text


def test_another_versions_keys_are_refused(server: RedisServer) -> None:
    async def go() -> None:
        server.ask("SET", "{strad}:version", "2")
        with pytest.raises(LogError, match="schema is 2, this version knows 1"):
            async with open_event_log(server.address):
                pytest.fail("not ours")

    asyncio.run(go())


@pytest.mark.parametrize(
    ("address", "kind", "words"),
    [
        ("redis://127.0.0.1:1/0?away=0.5", LogError, "has been away for 0.5 s"),
        ("redis://127.0.0.1:1/0?aof=no", InputError, "has the options"),
        ("redis://127.0.0.1:1/0?away=ever", InputError, "has the options"),
        ("redis://127.0.0.1:port/0", InputError, "address"),
        ("redis:", InputError, "address"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_clear_line(
    address: str, kind: type[Exception], words: str
) -> None:
    async def go() -> None:
        async with open_event_log(address):
            pytest.fail("there is no such Redis")

    with pytest.raises(kind, match=words) as refused:
        asyncio.run(go())
    assert "\n" not in str(refused.value)


def test_a_password_is_asked_for_and_never_shown(tmp_path: Path) -> None:
    async def go(address: str) -> None:
        async with open_event_log(address):
            pass

    with running_redis(tmp_path) as started:
        started.ask("CONFIG", "SET", "requirepass", "hunter2")
        try:
            for password in ("", ":wrong-word@"):
                address = started.address.replace("//", f"//{password}")
                with pytest.raises(LogError) as refused:
                    asyncio.run(go(address))
                assert "wrong-word" not in str(refused.value)
            asyncio.run(go(started.address.replace("//", "//:hunter2@")))
        finally:
            started.kill()


def test_one_that_takes_nothing_more_fails_a_try_until_it_does_again(server: RedisServer) -> None:
    async def go() -> None:
        async with open_event_log(server.address) as logs, logs.own("news") as log:
            await logs.try_out()
            server.ask("CONFIG", "SET", "maxmemory", "1")
            for write in (lambda: say(log, 1), logs.try_out):
                with pytest.raises(LogError, match=r"OOM|memory"):
                    await write()
            server.ask("CONFIG", "SET", "maxmemory", "0")
            await logs.try_out()
            await say(log, 1)
            assert await numbers(log) == [1]

    asyncio.run(go())


def test_old_messages_are_let_go(server: RedisServer) -> None:
    async def go() -> None:
        async with open_event_log(server.address, Retention(messages=10, logs=1)) as logs:
            for name in ("a", "b"):
                async with logs.own(name) as log:
                    await say(log, 30)
                    await log.append(end)
            assert await numbers(log) == list(range(22, 32))
            assert b"a" not in server.ask("KEYS", f"*{log.name}x*")
            assert server.ask("DBSIZE") == b":6\r\n"  # version, count, newest, logs, head, log

    asyncio.run(go())


def connections(server: RedisServer) -> int:
    """How many are open, this one apart."""
    info = server.ask("INFO", "clients").decode()
    return int(info.partition("connected_clients:")[2].split("\r\n")[0]) - 1
