"""The kinds of event log, each opened afresh for a test, and what is said in them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from service.eventlog.log import EventLog, StreamLog
from service.eventlog.opening import open_event_log
from service.eventlog.retention import Retention
from strad.wire.viewing import About, End, Logged, State, StreamState, Withdraw

ABOUT = About(describer="scripted", draft=True, delay=12.0, language="en")


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of event log is opened; twice at once, unless it is for one process only."""

    name: str
    spec: str

    def open(self, retention: Retention | None = None) -> AbstractAsyncContextManager[EventLog]:
        return open_event_log(self.spec, retention)

    @property
    def lasts(self) -> bool:
        """Whether it outlives being closed."""
        return self.name != "memory"


def kind_of(name: str, folder: Path, redis: Callable[[], str]) -> Kind:
    """``redis`` gives the address of a server that is empty."""
    specs = {
        "memory": lambda: "memory:",
        "sqlite": lambda: f"sqlite:{folder / 'log.db'}",
        "redis": redis,
    }
    return Kind(name, specs[name]())


def said(seq: int) -> Logged:
    return Withdraw(seq=seq, id=f"ad-{seq}", at=0.0, reason="speech")


def live(seq: int) -> Logged:
    return State(seq=seq, state=StreamState.LIVE, about=ABOUT)


def end(seq: int) -> Logged:
    return End(seq=seq)


async def say(log: StreamLog, count: int) -> None:
    for _ in range(count):
        await log.append(said)


async def numbers(log: StreamLog, after: int = 0, page: int = 100) -> list[int]:
    """What can be read after a place."""
    seen: list[int] = []
    while entries := await log.read(seen[-1] if seen else after, page):
        seen += [entry.seq for entry in entries]
    return seen
