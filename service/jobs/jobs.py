"""The jobs of one process: taken, queued, worked on, cancelled, and kept for a while."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from functools import cached_property
from pathlib import Path

from service.jobs.description import describe_file, results
from service.jobs.intake import receive
from service.jobs.record import OVER, JobRecord, JobRequest, JobState, KeptJob
from service.jobs.store import Store
from service.pull.network import Resolver, system_resolver
from service.pull.remote import open_remote, protocol_of
from service.pull.request import Asked
from service.refusals import Refusal
from service.security.calendar import now
from service.security.caller import Caller, Scope
from service.station import Station
from strad.errors import (
    NotFoundError,
    OverloadedError,
    RefusedSourceError,
    StradError,
    cause_of,
)
from strad.timeline import Ms, to_seconds
from strad.wire.publishing import Container
from strad_engines.weights import platform_cache
from streaming.announcement import Announcement, Progress
from streaming.sources import redacted

logger = logging.getLogger(__name__)


class Jobs:
    """Keeps nothing on disk before the first job is asked for."""

    def __init__(self, station: Station, resolve: Resolver = system_resolver) -> None:
        self._station = station
        self._settings = station.settings.jobs
        self._resolve = resolve
        self._slots = asyncio.Semaphore(self._settings.at_once)
        self._at_work: dict[str, asyncio.Task[None]] = {}

    @cached_property
    def _store(self) -> Store:
        settings = self._station.settings
        cache = Path(settings.cache) if settings.cache else platform_cache()
        store = Store(Path(self._settings.folder) if self._settings.folder else cache / "jobs")
        store.prune(self._settings.kept, self._settings.days)
        self._station.crew.at_last(store.close)
        return store

    async def upload(self, caller: Caller, asked: Asked, body: AsyncIterator[bytes]) -> JobRecord:
        """A job for a file that is being sent. Returns once it is here and queued."""
        kept = self._take(caller, "upload", asked)
        try:
            await self._receive(kept, body)
            if kept.record.state is JobState.RECEIVING:
                self._start(kept, self._work(kept))
                self._move(kept, JobState.QUEUED)
        except StradError as error:
            self._finish(kept, JobState.FAILED, error)
            raise
        finally:
            if kept.record.state is JobState.RECEIVING:
                self._finish(kept, JobState.CANCELLED)
        return kept.record

    def fetch(self, caller: Caller, wanted: JobRequest) -> JobRecord:
        """A job for a file behind a URL, which is fetched in the background."""
        if not self._station.settings.pull.on:
            raise RefusedSourceError("this service fetches no URLs")
        protocol_of(wanted.url)
        kept = self._take(caller, redacted(wanted.url), wanted)
        self._start(kept, self._work(kept, wanted.url))
        return kept.record

    def listing(self, caller: Caller) -> list[JobRecord]:
        """The caller's own, newest first; an admin's are all."""
        mine = [kept.record for kept in self._store.jobs.values() if _owns(caller, kept)]
        return mine[::-1]

    def find(self, caller: Caller, job: str) -> JobRecord:
        """Raises NotFoundError, also for another caller's."""
        return self._find(caller, job).record

    def result(self, caller: Caller, job: str, name: str) -> str:
        """The text of a finished job's file. Raises NotFoundError."""
        record = self.find(caller, job)
        if record.state is not JobState.DONE:
            raise NotFoundError(f"job {job} is {record.state}: there is no result")
        return self._store.result(record, name).read_text("utf-8")

    async def cancel(self, caller: Caller, job: str) -> JobRecord:
        """End a job that is under way; forget one that is over."""
        kept = self._find(caller, job)
        if kept.record.state in OVER:
            self._store.remove(kept.record)
            return kept.record
        task = self._at_work.get(job)
        if task is None:
            self._finish(kept, JobState.CANCELLED)
        else:
            task.cancel()
            await asyncio.wait([task], timeout=5.0)
        return kept.record

    def _take(self, caller: Caller, source: str, asked: Asked) -> KeptJob:
        """Room for one more. Raises OverloadedError, InputError."""
        self._station.streams.check_open()
        waiting = [k for k in self._store.jobs.values() if k.record.state not in OVER]
        most = self._settings.waiting + self._settings.at_once
        if len(waiting) >= most:
            raise OverloadedError(f"{len(waiting)} jobs wait or are worked on; try again later")
        return self._store.new(caller.id, source, asked)

    def _start(self, kept: KeptJob, work: object) -> None:
        job = kept.record.job
        assert asyncio.iscoroutine(work)
        try:
            task = self._station.crew.start(f"job {job}", work)
        except OverloadedError as error:
            self._finish(kept, JobState.FAILED, error)
            raise
        self._at_work[job] = task
        task.add_done_callback(lambda _: self._at_work.pop(job, None))

    async def _work(self, kept: KeptJob, url: str | None = None) -> None:
        state, error = JobState.CANCELLED, None
        try:
            if url is not None:
                await self._fetch(kept, url)
            self._move(kept, JobState.QUEUED)
            async with self._slots:
                self._move(kept, JobState.RUNNING)
                await self._describe(kept)
            state = JobState.DONE
        except StradError as failure:
            state, error = JobState.FAILED, failure
        except BaseExceptionGroup as group:
            cause = cause_of(group)
            if not isinstance(cause, StradError):
                state, error = JobState.FAILED, StradError("the service failed at this job")
                raise
            state, error = JobState.FAILED, cause
        finally:
            if state is JobState.CANCELLED and self._station.streams.closed:
                state = JobState.INTERRUPTED
            self._finish(kept, state, error)

    async def _fetch(self, kept: KeptJob, url: str) -> None:
        settings = self._station.settings.pull
        async with open_remote(url, settings, Container.WEBM, self._resolve) as remote:
            await self._receive(kept, remote.chunks)

    async def _receive(self, kept: KeptJob, chunks: AsyncIterator[bytes]) -> None:
        settings, record = self._settings, kept.record
        record.received = await receive(
            chunks, self._store.media(record), settings.max_upload, settings.upload_seconds
        )

    async def _describe(self, kept: KeptJob) -> None:
        record, station = kept.record, self._station
        path = self._store.media(record)
        run = describe_file(path, record.asked, station.settings, station.equipment)

        def watch(said: Announcement, duration: Ms | None) -> None:
            if isinstance(said, Progress):
                record.described = to_seconds(said.cursor)
                record.duration = to_seconds(duration) if duration else None
                if record.duration:
                    record.progress = min(1.0, round(record.described / record.duration, 3))

        await run.run(watch)
        record.figures = run.report.summary(run.session, wall=run.wall)
        record.progress = 1.0
        for name, text in results(run, record.job).items():
            self._store.write(record, name, text)

    def _move(self, kept: KeptJob, state: JobState) -> None:
        kept.record.state = state
        self._store.save(kept)

    def _finish(self, kept: KeptJob, state: JobState, error: StradError | None = None) -> None:
        record = kept.record
        if record.state in OVER:
            return
        record.state, record.finished = state, now()
        record.error = Refusal.of(error) if error is not None else None
        logger.info("job %s: %s", record.job, state)
        self._store.media(record).unlink(missing_ok=True)
        self._store.save(kept)
        self._store.prune(self._settings.kept, self._settings.days)

    def _find(self, caller: Caller, job: str) -> KeptJob:
        kept = self._store.jobs.get(job)
        if kept is None or not _owns(caller, kept):
            raise NotFoundError(f"no job {job}")
        return kept


def _owns(caller: Caller, kept: KeptJob) -> bool:
    return kept.caller == caller.id or Scope.ADMIN in caller.scopes
