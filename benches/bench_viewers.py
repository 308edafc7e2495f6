"""One stream to 2,000 viewers: from announce to the last of them, and what a viewer costs.

Three processes on loopback: the service, a bare ``websockets`` server that broadcasts the same
messages, and the viewers, which are plain sockets that read. Processor time and memory are those of
the server over its idle state, so that what both pay for anyway doesn't blur the comparison.

Targets: p99 from announce to the last viewer under 250 ms; at most 2.5 times the processor time an
event and 3 times the memory a viewer of the bare server in the same run.

Exit status: 0 all targets met, 1 one missed.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.server import ServerConnection, broadcast, serve

from benches.bench_eventlog import said
from service.app import create_app
from service.connections import allow_open_files
from service.server import listen, make_server, settle_memory
from service.settings import Limits, Settings
from strad.wire.viewing import About, Ad, Logged, StreamState
from tests.service.fakes import Workshop

ROOT = Path(__file__).parents[1]
MOST_MS, MOST_CPU, MOST_MEMORY = 250.0, 2.5, 3.0
EVERY = 0.5
"""Seconds between two events."""
IDLE = 4.0
MARK = "announced-at:"
LIMIT = 120.0
PATH = "/v1/streams/bench/events"
ABOUT = About(describer="bench", draft=True, delay=12.0, language="en")


def marked(seq: int) -> Logged:
    """A description that holds the time it is announced at."""
    ad = said(seq)
    assert isinstance(ad, Ad)
    return ad.model_copy(update={"id": f"{MARK}{time.monotonic_ns()}@"})


def resident() -> int:
    """Bytes of memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@dataclass
class Serving:
    """One of the two servers."""

    port: int
    viewers: Callable[[], int]
    announce: Callable[[], Awaitable[object]]


@asynccontextmanager
async def strad() -> AsyncIterator[Serving]:
    """The service, with one stream that this bench owns."""
    settings = Settings(describer="every-window", port=0, limits=Limits(viewers=10_000))
    app = create_app(settings, Workshop().equipment())
    listener = listen(settings)
    server = make_server(app, settings)
    station = app.state.station
    settle_memory()  # as ``strad serve`` does
    with listener:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(server.serve_until_asked(listener))
            async with station.streams.publishing("bench", ABOUT) as stream:
                await stream.move(StreamState.LIVE)
                yield Serving(
                    listener.getsockname()[1],
                    lambda: stream.viewers,
                    lambda: stream.log.append(marked),
                )
                server.ask_to_stop()
                server.ask_to_stop()


@asynccontextmanager
async def bare() -> AsyncIterator[Serving]:
    """No more than a broadcast."""
    here: set[ServerConnection] = set()
    sent = iter(range(1, 1_000_000))

    async def stay(connection: ServerConnection) -> None:
        here.add(connection)
        await connection.wait_closed()
        here.discard(connection)

    async def announce() -> None:
        broadcast(here, marked(next(sent)).to_json())

    options = {"compression": None, "ping_interval": 20, "ping_timeout": 180, "backlog": 2_048}
    async with serve(stay, "127.0.0.1", 0, **options) as server:  # type: ignore[arg-type]
        yield Serving(next(iter(server.sockets)).getsockname()[1], lambda: len(here), announce)
        for connection in list(here):
            connection.transport.abort()


async def server_side(kind: str, viewers: int, events: int) -> None:
    """Serve until all is measured; print the port first, and the figures at last."""
    allow_open_files()
    async with (strad if kind == "strad" else bare)() as serving, asyncio.timeout(LIMIT):
        before = resident()
        print(serving.port, flush=True)
        while serving.viewers() < viewers:  # noqa: ASYNC110 - neither server has an event for it
            await asyncio.sleep(0.1)
        await asyncio.sleep(2.0)
        began, at = processor(), time.monotonic()
        await asyncio.sleep(IDLE)
        idle = (processor() - began) / (time.monotonic() - at)
        await serving.announce()
        await asyncio.sleep(1.0)
        began, at = processor(), time.monotonic()
        for _ in range(events):
            await serving.announce()
            await asyncio.sleep(EVERY)
        busy = processor() - began - idle * (time.monotonic() - at)
        figures = {
            "cpu_ms": 1_000 * busy / events,
            "memory_kib": (resident() - before) / viewers / 1_024,
            "idle": idle,
        }
        print(json.dumps(figures), flush=True)


class Reader(asyncio.Protocol):
    """One viewer: knows as much of WebSocket as it takes to be let in."""

    arrivals: dict[int, list[float]]

    def __init__(self, arrivals: dict[int, list[float]], opened: Callable[[], object]) -> None:
        self.arrivals = arrivals
        self._opened: Callable[[], object] | None = opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if self._opened is not None:
            assert data.startswith(b"HTTP/1.1 101"), data
            self._opened()
            self._opened = None
        for piece in data.split(MARK.encode())[1:]:
            announced = int(piece[: piece.index(b"@")])
            self.arrivals.setdefault(announced, []).append(time.monotonic_ns())


async def viewer_side(port: int, viewers: int, events: int) -> None:
    """Connect all viewers, read all events, print how long the last viewer of each waited."""
    allow_open_files()
    arrivals: dict[int, list[float]] = {}
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(LIMIT):
        for first in range(0, viewers, 50):
            opened = asyncio.Semaphore(0)
            for _ in range(min(50, viewers - first)):
                make = lambda: Reader(arrivals, opened.release)  # noqa: B023, E731
                await loop.create_connection(make, "127.0.0.1", port)
            for _ in range(min(50, viewers - first)):
                await opened.acquire()
        print("all here", flush=True)
        while sum(map(len, arrivals.values())) < (events + 1) * viewers:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    waits = [(max(seen) - at) / 1e6 for at, seen in sorted(arrivals.items())][1:]
    print(json.dumps(waits), flush=True)


@dataclass(frozen=True)
class Measured:
    """One server's figures."""

    waits: Sequence[float]
    """Milliseconds until the last viewer had an event."""
    cpu_ms: float
    memory_kib: float
    idle: float

    @property
    def p99(self) -> float:
        return sorted(self.waits)[min(len(self.waits) - 1, int(0.99 * len(self.waits)))]

    def line(self, name: str) -> str:
        middle = sorted(self.waits)[len(self.waits) // 2]
        return (
            f"{name}: last viewer after {middle:.0f} ms (median), {self.p99:.0f} ms (p99), "
            f"{max(self.waits):.0f} ms (worst); {self.cpu_ms:.1f} ms of processor an event, "
            f"{self.memory_kib:.1f} KiB a viewer, idle {100 * self.idle:.1f} % of a core"
        )


def measure(kind: str, viewers: int, events: int) -> Measured:
    """Run a server and its viewers."""
    with child("--serve", kind, viewers, events) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        with child("--view", str(port), viewers, events) as client:
            told, _ = client.communicate(timeout=2 * LIMIT)
        figures = json.loads(server.communicate(timeout=LIMIT)[0].splitlines()[0])
    return Measured(json.loads(told.splitlines()[-1]), **figures)


def child(what: str, value: str, viewers: int, events: int) -> subprocess.Popen[str]:
    words = [what, value, "--viewers", str(viewers), "--events", str(events)]
    return subprocess.Popen(
        [sys.executable, "-m", "benches.bench_viewers", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=2_000)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--serve", choices=("strad", "bare"))
    parser.add_argument("--view", type=int, metavar="PORT")
    asked = parser.parse_args()
    if asked.serve:
        asyncio.run(server_side(asked.serve, asked.viewers, asked.events))
        return 0
    if asked.view:
        asyncio.run(viewer_side(asked.view, asked.viewers, asked.events))
        return 0
    plain = measure("bare", asked.viewers, asked.events)
    print(plain.line("bare websockets"), flush=True)
    ours = measure("strad", asked.viewers, asked.events)
    print(ours.line("strad"))
    cpu, memory = ours.cpu_ms / plain.cpu_ms, ours.memory_kib / plain.memory_kib
    met = ours.p99 < MOST_MS and cpu <= MOST_CPU and memory <= MOST_MEMORY
    print(f"strad over bare: {cpu:.2f} times the processor time, {memory:.2f} times the memory")
    targets = f"p99 under {MOST_MS:g} ms, {MOST_CPU:g} times, {MOST_MEMORY:g} times"
    print(f"targets: {targets}: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
