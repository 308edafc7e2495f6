"""Where all streams are listened to: a few threads, earliest deadline first, bounded.

Two lanes. Voice activity is a tenth of a millisecond of work and must never wait behind a
transcription, so it has a thread of its own. The models release the GIL while they compute.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from strad.errors import OverloadedError

T = TypeVar("T")

CLOSE_LIMIT = 30.0
"""Seconds to wait at the end for jobs that are running: a pass takes a second or two."""


class _Job(NamedTuple):
    deadline: float
    order: int
    work: Callable[[], Any]
    answer: asyncio.Future[Any]


class Lane:
    """Some threads and the jobs that wait for them. Lives on one event loop's thread."""

    def __init__(self, name: str, workers: int, room: int) -> None:
        self._name = name
        self._workers = workers
        self._room = room
        self._waiting: list[_Job] = []
        self._order = count()
        self._running: set[asyncio.Future[Any]] = set()
        self._threads: ThreadPoolExecutor | None = None
        self.worked = 0.0
        """Wall seconds that jobs have taken so far, all threads together."""

    @property
    def waiting(self) -> int:
        """How many jobs wait for a thread."""
        return sum(not job.answer.done() for job in self._waiting)

    def open(self) -> None:
        """Have threads."""
        self._threads = ThreadPoolExecutor(self._workers, self._name)

    def submit(self, work: Callable[[], T], deadline: float) -> asyncio.Future[T]:
        """Have ``work`` done; see ``ListeningPool``."""
        if self._threads is None or self.waiting >= self._room:
            raise OverloadedError("listening has no room for more; try again later")
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, _Job(deadline, next(self._order), work, answer))
        self._start()
        return answer

    async def close(self) -> None:
        """Drop what waits; what runs is waited for, up to a limit."""
        threads, self._threads = self._threads, None
        for job in self._waiting:
            job.answer.cancel()
        self._waiting.clear()
        if self._running:
            await asyncio.wait(self._running, timeout=CLOSE_LIMIT)
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting and self._threads and len(self._running) < self._workers:
            job = heapq.heappop(self._waiting)
            if job.answer.done():
                continue
            running = loop.run_in_executor(self._threads, job.work)
            self._running.add(running)
            running.add_done_callback(partial(self._ended, job, loop.time()))

    def _ended(self, job: _Job, begun: float, running: asyncio.Future[Any]) -> None:
        self._running.discard(running)
        self.worked += running.get_loop().time() - begun
        error = running.exception()
        if job.answer.done():
            pass  # Whoever asked has gone; an error was of no use to anybody else.
        elif error is not None:
            job.answer.set_exception(error)
        else:
            job.answer.set_result(running.result())
        self._start()


class ListeningPool:
    """An async context manager: its threads live from entering to leaving it.

    ``workers`` threads transcribe; at most ``room`` jobs of a lane may wait.
    """

    def __init__(self, workers: int = 1, room: int = 1_024) -> None:
        self.workers = workers
        self._quick = Lane("hearing", 1, room)
        self._slow = Lane("transcribing", workers, room)

    async def __aenter__(self) -> Self:
        self._quick.open()
        self._slow.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._quick.close()
        await self._slow.close()

    def quick(self, work: Callable[[], T], deadline: float) -> asyncio.Future[T]:
        """Have ``work`` of a few milliseconds done: voice activity.

        ``deadline`` (``loop.time()``) only orders. Cancelling the future takes a job that still
        waits out of the queue. Raises OverloadedError when no more may wait.
        """
        return self._quick.submit(work, deadline)

    def slow(self, work: Callable[[], T], deadline: float) -> asyncio.Future[T]:
        """Have ``work`` of a second or so done: a transcription. Else as ``quick``."""
        return self._slow.submit(work, deadline)

    @property
    def waiting(self) -> int:
        """How many transcriptions wait for a thread."""
        return self._slow.waiting

    @property
    def worked(self) -> float:
        """Wall seconds that a thread which transcribes has worked so far, on average."""
        return self._slow.worked / self.workers
