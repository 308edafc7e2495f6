"""Every event log numbers what it keeps, gives it back from any place, and knows its owner."""

from __future__ import annotations

import asyncio

import pytest

from service.eventlog.log import EventLog, StreamLog
from service.eventlog.retention import Retention
from strad.errors import NotOwnedError, TakenError, UnknownLogError
from strad.wire.answering import Error
from strad.wire.viewing import StreamState
from tests.service.eventlog.kinds import Kind, end, live, numbers, said, say

pytestmark = pytest.mark.service


def test_messages_are_numbered_and_read_from_any_place(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs, logs.own("news") as log:
            assert (log.last, log.first) == (0, 1)
            await say(log, 7)
            found = await logs.find("news")
            assert found is not None
            assert (found.name, found.last, found.first) == (log.name, 7, 1)
            assert await numbers(found, 0, 2) == [1, 2, 3, 4, 5, 6, 7]
            assert await numbers(found, 5) == [6, 7]
            assert await numbers(found, 7) == await numbers(found, 99) == []
            (entry,) = await found.read(2, 1)
            assert entry.message == said(3)
            assert entry.json == said(3).to_json()

    asyncio.run(go())


def test_messages_that_are_not_near_are_read_from_where_they_are_kept(kind: Kind) -> None:
    async def go() -> None:
        retention = Retention(messages=10, near=3 if kind.lasts else 500)
        async with kind.open(retention) as logs, logs.own("news") as log:
            await say(log, 25)
            found = await logs.find("news")
            assert found is not None
            assert found.first == 16
            for after in range(27):
                assert await numbers(found, after, 4) == list(range(max(after + 1, 16), 26))

    asyncio.run(go())


def test_who_waits_is_woken_by_the_next_message(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs, logs.own("news") as log:
            await say(log, 1)
            assert await log.wait(0)
            async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
                waiting = [tasks.create_task(log.wait(1)) for _ in range(3)]
                late = tasks.create_task(log.wait(2))
                await say(log, 1)
                assert all([await task for task in waiting])
                assert not late.done()
                log.shut()
                assert not await late

    asyncio.run(go())


def test_a_log_to_come_has_its_name_before_it_begins(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs:
            assert await logs.find("news") is None
            one, two = await logs.expect("news"), await logs.expect("news")
            assert one.name == two.name
            assert (one.last, await one.read(0), await one.kept()) == (0, [], None)
            async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
                waiting = tasks.create_task(one.wait(0))
                async with logs.own("news") as log:
                    assert log.name == one.name
                    await say(log, 1)
                    assert await waiting
            assert await numbers(one) == [1]
            assert (await logs.expect("news")).name == one.name

    asyncio.run(go())


def test_one_at_a_time_owns_a_stream(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs:
            assert not await logs.owned("news")
            async with logs.own("news") as log:
                assert await logs.owned("news")
                assert not await logs.owned("other")
                for resume in (None, log.name):
                    with pytest.raises(TakenError, match="already being published"):
                        async with logs.own("news", resume=resume):
                            pytest.fail("it has an owner")
                async with logs.own("other"):
                    await say(log, 1)
            assert not await logs.owned("news")
            with pytest.raises(NotOwnedError):
                await log.append(said)
            reader = await logs.find("news")
            assert reader is not None
            with pytest.raises(NotOwnedError):
                await reader.append(said)

    asyncio.run(go())


def test_the_newest_owner_appends_and_the_earlier_one_is_stopped(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs, asyncio.timeout(5):
            owned: asyncio.Future[StreamLog] = asyncio.get_running_loop().create_future()

            async def first() -> str:
                try:
                    async with logs.own("news") as log:
                        await say(log, 2)
                        owned.set_result(log)
                        await asyncio.sleep(3_600)
                except NotOwnedError as error:
                    return str(error)
                return "never stopped"

            async with asyncio.TaskGroup() as tasks:
                working = tasks.create_task(first())
                earlier = await owned
                async with logs.own("news", resume=earlier.name, take_over=True) as log:
                    assert await working == "another publisher has taken stream news over"
                    assert (log.name, log.last) == (earlier.name, 2)
                    with pytest.raises(NotOwnedError):
                        await earlier.append(said)
                    with pytest.raises(NotOwnedError):
                        await earlier.keep("{}")
                    await say(log, 1)
            assert await numbers(earlier) == [1, 2, 3]

    asyncio.run(go())


def test_a_log_is_gone_on_with_and_its_owners_state_is_there(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs:
            async with logs.own("news") as log:
                await say(log, 3)
                await log.keep('{"first": 1}')
                await log.keep('{"cursor": 7}')
            async with logs.own("news", resume=log.name) as again:
                assert (again.name, again.last) == (log.name, 3)
                assert await again.kept() == '{"cursor": 7}'
                await say(again, 2)
            found = await logs.find("news")
            assert found is not None
            assert await numbers(found) == [1, 2, 3, 4, 5]

    asyncio.run(go())


def test_a_log_that_is_gone_or_has_ended_cannot_be_gone_on_with(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs:
            async with logs.own("news") as first:
                await say(first, 1)
                await first.append(end)
                with pytest.raises(NotOwnedError, match="has ended"):
                    await first.append(said)
            for name in (first.name, "unheard-of"):
                with pytest.raises(UnknownLogError):
                    async with logs.own("news", resume=name):
                        pytest.fail("nothing to go on with")
            async with logs.own("news") as second:
                assert second.name != first.name
                assert (second.last, await second.kept()) == (0, None)
            with pytest.raises(UnknownLogError):
                async with logs.own("news", resume=first.name):
                    pytest.fail("it is not the newest")

    asyncio.run(go())


def test_where_a_log_stands_outlives_its_messages(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open(Retention(messages=2)) as logs, logs.own("news") as log:
            await log.append(live)
            await log.append(lambda seq: Error(seq=seq, code="describer", message="a bug"))
            await say(log, 5)
            await log.append(end)
            assert await numbers(log) == [7, 8]
            for standing in (log.standing, (await logs.listed())[0].standing):
                assert standing.ended
                assert standing.state is not None
                assert standing.state.state is StreamState.LIVE
                assert standing.state.about is not None
                assert standing.error is not None
                assert standing.error.message == "a bug"

    asyncio.run(go())


def test_streams_are_listed_with_their_newest_log(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs:
            assert list(await logs.listed()) == []
            await ended(logs, "a")
            newest = [await ended(logs, "b"), await ended(logs, "a")]
            async with logs.own("c") as log:
                await log.append(live)
                listed = await logs.listed()
            assert [line.stream for line in listed] == ["b", "a", "c"]
            assert [line.log for line in listed] == [*newest, log.name]
            assert [line.owned for line in listed] == [False, False, True]
            assert [line.last for line in listed] == [1, 1, 1]
            assert [line.standing.ended for line in listed] == [True, True, False]

    asyncio.run(go())


def test_what_is_written_to_try_it_out_is_read_by_nobody(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs, logs.own("news") as log:
            await say(log, 2)
            for _ in range(3):
                await logs.try_out()
            await say(log, 1)
            assert await numbers(log) == [1, 2, 3]
            assert [line.stream for line in await logs.listed()] == ["news"]

    asyncio.run(go())


def test_only_so_many_ended_logs_are_kept(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open(Retention(logs=2)) as logs:
            async with logs.own("broken-off") as log:
                await say(log, 1)
            for name in "abc":
                await ended(logs, name)
            assert [line.stream for line in await logs.listed()] == ["broken-off", "b", "c"]
            assert await logs.find("a") is None

    asyncio.run(go())


def test_what_is_cancelled_in_the_middle_is_kept_once_or_not_at_all(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs, logs.own("news") as log:
            for turn in range(40):
                async with asyncio.TaskGroup() as tasks:
                    appending = tasks.create_task(log.append(said))
                    for _ in range(turn % 8):
                        await asyncio.sleep(0.0002 * (turn % 5))
                    appending.cancel()
            await say(log, 1)
            assert await numbers(log) == list(range(1, log.last + 1))
            found = await logs.find("news")
            assert found is not None
            assert found.last == log.last

    asyncio.run(go())


def test_many_append_at_once_and_all_have_a_number_of_their_own(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs, logs.own("news") as log:
            async with asyncio.TaskGroup() as tasks:
                appending = [tasks.create_task(log.append(said)) for _ in range(30)]
            assert sorted(task.result().seq for task in appending) == list(range(1, 31))
            assert [entry.message for entry in await log.read(0)] == [said(n) for n in range(1, 31)]

    asyncio.run(go())


async def ended(logs: EventLog, stream: str) -> str:
    """The name of a log that came to its end."""
    async with logs.own(stream) as log:
        await log.append(end)
    return log.name
