"""The jobs of one process: taken, listed, cancelled, and kept for a while."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from service.jobs.bench import Bench
from service.jobs.record import OVER, JobRecord, JobRequest, JobState, KeptJob
from service.jobs.store import Store
from service.pull.network import Resolver, system_resolver
from service.pull.remote import protocol_of
from service.pull.request import Asked
from service.security.caller import Caller, Scope
from service.settings import Settings
from service.station import Station
from strad.errors import NotFoundError, OverloadedError, RefusedSourceError, StradError, WorkError
from strad_engines.weights import platform_cache
from streaming.sources import redacted

logger = logging.getLogger(__name__)


class Jobs:
    """Keeps nothing on disk before it is told to ``claim`` its folder, or asked for a job."""

    def __init__(self, station: Station, resolve: Resolver = system_resolver) -> None:
        self._station = station
        self._settings = station.settings.jobs
        self._resolve = resolve
        self._at_work: dict[str, asyncio.Task[None]] = {}

    def claim(self) -> None:
        """Have the folder from the start, or warn in the log that there will be no jobs."""
        with suppress(WorkError):
            _ = self._store

    @cached_property
    def _store(self) -> Store:
        try:
            store = Store(folder_of(self._station.settings))
        except WorkError as error:
            logger.warning("no jobs are taken: %s", error)
            raise WorkError("this service can take no jobs: its log says why") from None
        store.prune(self._settings.kept, self._settings.days)
        self._station.crew.at_last(store.close)
        return store

    @cached_property
    def _bench(self) -> Bench:
        return Bench(self._station, self._store, self._resolve)

    async def upload(self, caller: Caller, asked: Asked, body: AsyncIterator[bytes]) -> JobRecord:
        """A job for a file that is being sent. Returns once it is here and queued."""
        kept = self._take(caller, "upload", asked)
        try:
            await self._bench.receive(kept, body)
            if kept.record.state is JobState.RECEIVING:
                self._start(kept)
                self._bench.move(kept, JobState.QUEUED)
        except StradError as error:
            self._bench.finish(kept, JobState.FAILED, error)
            raise
        finally:
            if kept.record.state is JobState.RECEIVING:
                self._bench.finish(kept, JobState.CANCELLED)
        return kept.record

    def fetch(self, caller: Caller, wanted: JobRequest) -> JobRecord:
        """A job for a file behind a URL, which is fetched in the background."""
        if not self._station.settings.pull.on:
            raise RefusedSourceError("this service fetches no URLs")
        protocol_of(wanted.url)
        kept = self._take(caller, redacted(wanted.url), wanted)
        self._start(kept, wanted.url)
        return kept.record

    def listing(self, caller: Caller) -> list[JobRecord]:
        """The caller's own, newest first; an admin's are all."""
        mine = [kept.record for kept in self._store.jobs.values() if _owns(caller, kept)]
        return mine[::-1]

    def find(self, caller: Caller, job: str) -> JobRecord:
        """Raises NotFoundError, also for another caller's."""
        return _found(self._store, caller, job).record

    def result(self, caller: Caller, job: str, name: str) -> str:
        """The text of a finished job's file. Raises NotFoundError."""
        record = self.find(caller, job)
        if record.state is not JobState.DONE:
            raise NotFoundError(f"job {job} is {record.state}: there is no result")
        return self._store.result(record, name).read_text("utf-8")

    async def cancel(self, caller: Caller, job: str) -> JobRecord:
        """End a job that is under way; forget one that is over."""
        kept = _found(self._store, caller, job)
        if kept.record.state in OVER:
            self._store.remove(kept.record)
            return kept.record
        task = self._at_work.get(job)
        if task is None:
            self._bench.finish(kept, JobState.CANCELLED)
        else:
            task.cancel()
            await asyncio.wait([task], timeout=5.0)
        return kept.record

    def _take(self, caller: Caller, source: str, asked: Asked) -> KeptJob:
        """Room for one more. Raises OverloadedError, WorkError."""
        self._station.streams.check_open()
        waiting = [k for k in self._store.jobs.values() if k.record.state not in OVER]
        most = self._settings.waiting + self._settings.at_once
        if len(waiting) >= most:
            raise OverloadedError(f"{len(waiting)} jobs wait or are worked on; try again later")
        return self._store.new(caller.id, source, asked)

    def _start(self, kept: KeptJob, url: str | None = None) -> None:
        job = kept.record.job
        try:
            task = self._station.crew.start(f"job {job}", self._bench.work(kept, url))
        except OverloadedError as error:
            self._bench.finish(kept, JobState.FAILED, error)
            raise
        self._at_work[job] = task
        task.add_done_callback(lambda _: self._at_work.pop(job, None))


def folder_of(settings: Settings) -> Path:
    """Where a service keeps its jobs."""
    cache = Path(settings.cache) if settings.cache else platform_cache()
    return Path(settings.jobs.folder) if settings.jobs.folder else cache / "jobs"


def _found(store: Store, caller: Caller, job: str) -> KeptJob:
    kept = store.jobs.get(job)
    if kept is None or not _owns(caller, kept):
        raise NotFoundError(f"no job {job}")
    return kept


def _owns(caller: Caller, kept: KeptJob) -> bool:
    return kept.caller == caller.id or Scope.ADMIN in caller.scopes
