"""Writes tests/fixtures/log-v1: logs as version 1 keeps them, for later versions to read.

Run once for a schema, by hand: ``python -m tests.service.eventlog.make_fixtures FOLDER``. What is
committed is never written anew: a changed schema gets a folder of its own beside it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

from service.eventlog.log import EventLog
from service.eventlog.opening import open_event_log
from strad.decision import Kind
from strad.wire.answering import Error, Spread, Summary, Warning
from strad.wire.viewing import (
    About,
    Ad,
    End,
    Logged,
    PlayerClock,
    State,
    StreamState,
    Withdraw,
)
from tests.service.redis_server import RedisServer, running_redis

FIXTURES = Path(__file__).parents[2] / "fixtures" / "log-v1"

ABOUT = About(describer="strad-ft", draft=False, delay=12.0, language="pt-BR")

SUMMARY = Summary(
    live_edge=61.52,
    windows=29,
    events=3,
    withdrawn=1,
    skipped=2,
    no_gap=4,
    waits={"nothing new": 20, "failed": 1},
    drops={"no-room": 2},
    load=Spread(p50=0.4, p95=0.9, max=1.3),
    rtf=0.31,
    lag_cursor=Spread(p50=2.0, p95=3.5, max=4.0),
)


def ad(seq: int, number: int, start: float, text: str, *, provisional: bool = False) -> Ad:
    return Ad(
        seq=seq,
        id=f"ad-{number}",
        number=number,
        start=start,
        end=start + 2.4,
        text=text,
        language="pt-BR",
        kind=list(Kind)[number % len(Kind)],
        forms=(text[:10], text),
        rate=1.15,
        provisional=provisional,
        window_end=start + 1.0,
        lag_cursor=1.0,
        lag_emit=-0.5,
        late=False,
        draft=False,
        describer="strad-ft",
        epoch=PlayerClock(stream=0.0, player=7.25, rate=1.0),
    )


WHOLE: list[Callable[[int], Logged]] = [
    lambda seq: State(seq=seq, state=StreamState.LIVE, about=ABOUT),
    lambda seq: ad(seq, 1, 3.2, "Ela abre a carta — devagar."),
    lambda seq: Warning(seq=seq, code="size-change", at=9.0, message="the size changed", count=2),
    lambda seq: ad(seq, 2, 14.0, "Um gato \U0001f408 atravessa a rua.", provisional=True),
    lambda seq: Withdraw(seq=seq, id="ad-2", at=14.4, reason="speech"),
    lambda seq: ad(seq, 3, 40.0, 'A placa diz: "Fechado"\nNo verso, nada.'),
    lambda seq: State(seq=seq, state=StreamState.DRAINING, about=ABOUT),
    lambda seq: State(seq=seq, state=StreamState.ENDED, about=ABOUT),
    lambda seq: End(seq=seq, summary=SUMMARY),
]
FAILED: list[Callable[[int], Logged]] = [
    lambda seq: State(seq=seq, state=StreamState.LIVE, about=ABOUT),
    lambda seq: Error(seq=seq, code="decoder", message="the decoder crashed", retryable=False),
    lambda seq: State(seq=seq, state=StreamState.ENDED, about=ABOUT),
    lambda seq: End(seq=seq),
]
BROKEN_OFF: list[Callable[[int], Logged]] = [
    lambda seq: State(seq=seq, state=StreamState.LIVE, about=ABOUT),
    lambda seq: ad(seq, 1, 3.2, "Ela abre a carta."),
]
STREAMS = {"whole": WHOLE, "failed": FAILED, "broken-off": BROKEN_OFF}


async def fill(logs: EventLog, folder: Path) -> None:
    """Every stream, and its messages as lines beside it."""
    for stream, messages in STREAMS.items():
        async with logs.own(stream) as log:
            for message in messages:
                await log.append(message)
            await log.keep('{"cursor": 4.0}')
            lines = [entry.json for entry in await log.read(0)]
        (folder / f"{stream}.jsonl").write_text("".join(f"{line}\n" for line in lines))


async def fill_file(folder: Path) -> None:
    async with open_event_log(f"sqlite:{folder / 'log.db'}") as logs:
        await fill(logs, folder)
    (folder / "log.db.lock").unlink()


async def fill_redis(server: RedisServer, folder: Path) -> None:
    async with open_event_log(server.address) as logs:
        await fill(logs, folder)
        client = logs._store._client  # type: ignore[attr-defined]
        commands = []
        for key in sorted(await client.keys("*")):
            match await client.type(key):
                case "string":
                    commands.append(["SET", key, await client.get(key)])
                case "hash":
                    pairs = await client.hgetall(key)
                    commands.append(
                        ["HSET", key, *(word for pair in pairs.items() for word in pair)]
                    )
                case "zset":
                    members = await client.zrange(key, 0, -1, withscores=True)
                    commands += [["ZADD", key, str(int(n)), member] for member, n in members]
                case "stream":
                    entries = await client.xrange(key)
                    commands += [["XADD", key, seq, "m", fields["m"]] for seq, fields in entries]
    lines = (json.dumps(command, ensure_ascii=False) for command in commands)
    (folder / "redis.commands").write_text("".join(f"{line}\n" for line in lines))


def main(folder: Path) -> None:
    folder.mkdir(parents=True)
    asyncio.run(fill_file(folder))
    scratch = folder / "redis"
    scratch.mkdir()
    with running_redis(scratch) as server:
        asyncio.run(fill_redis(server, folder))
    print(f"now remove {scratch}")  # noqa: T201 - a script, run by hand


if __name__ == "__main__":
    main(Path(sys.argv[1]))
