"""The bench: one job after another, from its file to its results, a few at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

from service.jobs.description import describe_file, results
from service.jobs.intake import receive
from service.jobs.record import OVER, JobState, KeptJob
from service.jobs.store import Store
from service.pull.network import Resolver
from service.pull.remote import open_remote
from service.refusals import Refusal
from service.security.calendar import now
from service.station import Station
from strad.errors import StradError, WorkError, cause_of
from strad.timeline import Ms, to_seconds
from strad.wire.publishing import Container
from streaming.announcement import Announcement, Progress

logger = logging.getLogger(__name__)


class Bench:
    """Works on jobs and writes down how they fare."""

    def __init__(self, station: Station, store: Store, resolve: Resolver) -> None:
        self._station = station
        self._settings = station.settings.jobs
        self._store = store
        self._resolve = resolve
        self._slots = asyncio.Semaphore(self._settings.at_once)

    async def work(self, kept: KeptJob, url: str | None = None) -> None:
        """All of one job; ``url``: where its file is still to come from. Fails in its record."""
        state = JobState.FAILED
        error: StradError | None = WorkError("the service failed at this job")
        try:
            await self._work(kept, url)
            state, error = JobState.DONE, None
        except asyncio.CancelledError:
            state, error = JobState.CANCELLED, None
            raise
        except StradError as failure:
            error = failure
        except BaseExceptionGroup as group:
            cause = cause_of(group)
            if not isinstance(cause, StradError):
                raise
            error = cause
        finally:
            if state is JobState.CANCELLED and self._station.streams.closed:
                state = JobState.INTERRUPTED
            self.finish(kept, state, error)

    async def receive(self, kept: KeptJob, chunks: AsyncIterator[bytes]) -> None:
        """The job's file. Raises InputError, PeerGoneError, WorkError."""
        settings, record = self._settings, kept.record
        record.received = await receive(
            chunks, self._store.media(record), settings.max_upload, settings.upload_seconds
        )

    def move(self, kept: KeptJob, state: JobState) -> None:
        """Write down a new state."""
        kept.record.state = state
        self._store.save(kept)

    def finish(self, kept: KeptJob, state: JobState, error: StradError | None = None) -> None:
        """Write down how it ended, once, and let go of its file."""
        record = kept.record
        if record.state in OVER:
            return
        record.state, record.finished = state, now()
        record.error = Refusal.of(error) if error is not None else None
        logger.info("job %s: %s", record.job, state)
        self._store.media(record).unlink(missing_ok=True)
        self._store.note(kept)
        self._store.prune(self._settings.kept, self._settings.days)

    async def _work(self, kept: KeptJob, url: str | None) -> None:
        if url is not None:
            settings = self._station.settings.pull
            async with open_remote(url, settings, Container.WEBM, self._resolve) as remote:
                await self.receive(kept, remote.chunks)
        self.move(kept, JobState.QUEUED)
        async with self._slots:
            self.move(kept, JobState.RUNNING)
            await self._describe(kept)

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
