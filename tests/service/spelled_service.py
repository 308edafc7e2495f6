"""The service as a process of its own that is quickly there, over spelled media; made to be killed.

What it says follows from media time alone, so that one started again says the same as the one
before. It is forked from a process that has imported all it needs and does nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing.context import ForkServerProcess

import httpx

from clients.python.address import StreamAddress
from clients.python.publisher import Control
from clients.python.resuming import Take
from service.app import create_app
from service.eventlog.opening import open_event_log, retention_of
from service.server import listen
from service.server import serve as serve_app
from service.settings import Auth, Limits, Settings
from strad.decision import Decision, Describe, Wait, WaitReason
from strad.timeline import Interval
from strad.wire.publishing import Container
from streaming.window import Window
from tests.fakes import EveryWindowDescriber
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, free_port, wait_for_port

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["pytest", __name__])


class TimeTellingDescriber(EveryWindowDescriber):
    """Says of some windows which they were: three in a row, and then none for half a minute."""

    async def decide(self, window: Window) -> Decision:
        self.asked.append(window)
        second = window.when.end // 1_000
        if second % 36 > 6:
            return Wait(WaitReason.NOTHING_NEW)
        start = max(window.when.start, window.when.end - 2_000)
        return Describe((f"thing{second} falls{second}",), Interval(start, window.when.end))


class SpelledService:
    """One at a time, on one port, over one log."""

    def __init__(self, log: str, *more: str) -> None:
        """``more``: a file of API keys, where callers show any."""
        self.port = free_port()
        self._words = (self.port, log, *more)
        self.process: ForkServerProcess | None = None

    @property
    def pid(self) -> int:
        assert self.process is not None
        assert self.process.pid is not None
        return self.process.pid

    def address(self, name: str = "news", token: str = "") -> StreamAddress:
        return StreamAddress.parse(f"{self.url}/v1/streams/{name}", token)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Return once it can be reached."""
        self.process = FORKS.Process(target=run, args=self._words, daemon=True)
        await asyncio.to_thread(self.process.start)
        await wait_for_port(self.port)

    async def kill(self) -> None:
        """As ``kill -9`` does."""
        await self.end(signal.SIGKILL)

    async def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Its exit code."""
        os.kill(self.pid, how)
        process, self.process = self.process, None
        assert process is not None
        await asyncio.to_thread(process.join, 60)
        if process.exitcode is None:
            process.kill()  # else the end of the tests would wait for it
            raise AssertionError("it does not end")
        return process.exitcode

    async def get(self, path: str, **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(timeout=30) as client:
            return await client.get(self.url + path, headers=headers)


@asynccontextmanager
async def spelled_service(log: str, *more: str) -> AsyncIterator[SpelledService]:
    """A running one; gone when the block ends."""
    service = SpelledService(log, *more)
    try:
        await service.start()
        yield service
    finally:
        if service.process is not None and service.process.is_alive():
            await service.kill()


class QuietReel:
    """A publisher's source: quiet seconds, from where the stream stands, until it is over."""

    def __init__(self, pause: float) -> None:
        """``pause``: wall seconds between two seconds of media."""
        self._pause = pause
        self.over = asyncio.Event()

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        start = None if since is None else float(max(0, int(since) - 5))
        yield Take(Container.WEBM, self._letters(), start)

    async def _letters(self) -> AsyncIterator[bytes | Control]:
        while not self.over.is_set():
            yield b"q"
            await asyncio.sleep(self._pause)


async def serve(port: int, spec: str, keys: str) -> None:
    limits = Limits(drain=3.0, stall=20.0, grace=60.0, streams=50, viewers=500, max_log=5_000)
    settings = Settings(
        describer="every-window",
        port=port,
        log=spec,
        limits=limits,
        jobs=SETTINGS.jobs,
        auth=Auth(keys=keys, requests=1e6, streams=50),
        admission=replace(SETTINGS.admission, on=False),
    )
    equipment = Workshop(TimeTellingDescriber, most=1).equipment()
    async with open_event_log(spec, retention_of(limits)) as log:
        await serve_app(create_app(settings, equipment, log), settings, listen(settings))


def run(port: int, spec: str, keys: str = "") -> None:
    """Serve until a signal."""
    sys.dont_write_bytecode = True  # a test that lets no file grow would leave half a module behind
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(serve(port, spec, keys))
