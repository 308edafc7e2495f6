"""Flags are kept beside the log's messages, once each, by every keeper, and go with their log."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from service.eventlog import flags as flag_module
from service.eventlog import memory, redis_flags, sqlite_flags
from service.eventlog.flags import KeptFlag
from service.eventlog.opening import open_event_log
from service.eventlog.retention import Retention
from strad.errors import LogError, NotFoundError, OverloadedError
from strad.flag import FlagKind
from tests.service.ads import ad
from tests.service.eventlog.kinds import Kind, end, say

pytestmark = pytest.mark.service

WRONG = KeptFlag(ad=ad(2, 16, 18), kind=FlagKind.WRONG, by="a1", note="It is a dog \U0001f415.")


def flag(**changes: object) -> KeptFlag:
    return WRONG.model_copy(update=changes)


def test_a_flag_is_kept_once_and_its_newest_note_stays(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs, logs.own("news") as log:
            await say(log, 3)
            assert not await log.flags.put(WRONG)
            assert not await log.flags.put(flag(kind=FlagKind.LATE))
            assert not await log.flags.put(flag(by="b2"))
            assert await log.flags.put(flag(note="It is a wolf."))
            found = await logs.find("news")
            assert found is not None
            assert await found.flags.count() == 3
            kept = await found.flags.all()
            assert {f.key for f in kept} == {"ad-2 wrong a1", "ad-2 late a1", "ad-2 wrong b2"}
            assert {f.note for f in kept if f.by == "a1" and f.kind is FlagKind.WRONG} == {
                "It is a wolf."
            }
            assert all(f.ad == WRONG.ad for f in kept)

    asyncio.run(go())


def test_any_reader_flags_also_after_the_end_and_what_lasts_keeps_it(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as logs:
            to_come = await logs.expect("news")
            assert (await to_come.flags.count(), list(await to_come.flags.all())) == (0, [])
            async with logs.own("news") as log:
                await say(log, 1)
                await log.append(end)
            found = await logs.find("news")
            assert found is not None
            assert not await found.flags.put(WRONG)
        if kind.lasts:
            async with kind.open() as logs:
                found = await logs.find("news")
                assert found is not None
                assert list(await found.flags.all()) == [WRONG]

    asyncio.run(go())


def test_flags_are_let_go_with_their_log(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open(Retention(logs=1)) as logs:
            first = None
            for name in ("one", "two", "three"):
                async with logs.own(name) as log:
                    await say(log, 1)
                    await log.flags.put(WRONG)
                    await log.append(end)
                first = first or log
            assert await logs.find("one") is None
            assert first is not None
            if kind.lasts:
                assert await first.flags.count() == 0
                with pytest.raises(NotFoundError, match="no longer kept"):
                    await first.flags.put(flag(by="b2"))

    asyncio.run(go())


def test_a_log_holds_only_so_many(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (flag_module, sqlite_flags, redis_flags):
        monkeypatch.setattr(module, "MOST_FLAGS", 2)

    async def go() -> None:
        async with kind.open() as logs, logs.own("news") as log:
            await say(log, 1)
            for by in ("a1", "b2"):
                await log.flags.put(flag(by=by))
            with pytest.raises(OverloadedError, match="no more are kept"):
                await log.flags.put(flag(by="c3"))
            assert await log.flags.put(flag(by="b2", note="Known ones may change."))

    asyncio.run(go())
    assert memory.MemoryFlags is flag_module.MemoryFlags


def test_a_flag_that_cannot_be_read_is_said_to_be_one() -> None:
    assert KeptFlag.parse(WRONG.to_json()) == WRONG
    with pytest.raises(LogError, match="can't read"):
        KeptFlag.parse("{}")


def test_flags_that_version_1_wrote_are_read_and_say_the_same() -> None:
    fixture = Path(__file__).parents[2] / "fixtures" / "log-v1" / "flags.jsonl"
    lines = fixture.read_text(encoding="utf-8").splitlines()
    flags = [KeptFlag.parse(line) for line in lines]
    assert [flag.key for flag in flags] == ["ad-2 wrong a1", "ad-2 late b2"]
    assert [flag.note for flag in flags] == [WRONG.note, ""]
    assert all(flag.ad == WRONG.ad for flag in flags)
    for flag, line in zip(flags, lines, strict=True):
        assert json.loads(line).items() <= json.loads(flag.to_json()).items()


def test_a_file_of_an_earlier_program_takes_flags(tmp_path: Path) -> None:
    """Its log was written before there was a table for them."""

    async def go() -> None:
        async with open_event_log(f"sqlite:{tmp_path / 'log.db'}") as logs:
            log = await logs.find("whole")
            assert log is not None
            assert not await log.flags.put(WRONG)
        async with open_event_log(f"sqlite:{tmp_path / 'log.db'}") as logs:
            log = await logs.find("whole")
            assert log is not None
            assert list(await log.flags.all()) == [WRONG]

    fixture = Path(__file__).parents[2] / "fixtures" / "log-v1" / "log.db"
    (tmp_path / "log.db").write_bytes(fixture.read_bytes())
    asyncio.run(go())
