"""The store: a folder a job, in a folder that one process has to itself."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import secrets
import shutil
import weakref
from datetime import timedelta
from pathlib import Path

from pydantic import ValidationError

from service.jobs.record import OVER, JobRecord, JobState, KeptJob
from service.pull.request import Asked
from service.security.calendar import now
from strad.errors import StradError, WorkError
from strad.text_file import write_text

logger = logging.getLogger(__name__)

ID = r"^[0-9a-f]{16}$"
RECORD, MEDIA, LOCK = "job.json", "media", ".lock"
UNUSABLE = "jobs can't be kept now: the disk is full, or not to be used"
"""What callers are told; the log says where and why."""


class Store:
    """Jobs on disk. Those of an earlier process that were not over are marked interrupted."""

    def __init__(self, folder: Path) -> None:
        """Raises WorkError without a folder, or where another process has it: for its operator."""
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise _unusable(folder, error) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise WorkError(
                f"another process keeps its jobs in {folder}: give each its own jobs.folder"
            ) from None
        self.close = weakref.finalize(self, os.close, lock)
        """Lets another process have the folder."""
        self.jobs: dict[str, KeptJob] = {}
        """By id, oldest first."""
        try:
            self._load()
        except OSError as error:
            self.close()
            raise _unusable(folder, error) from None

    def new(self, caller: str, source: str, asked: Asked) -> KeptJob:
        """A job whose file is about to come. Raises WorkError, as ``write``."""
        record = JobRecord(
            job=secrets.token_hex(8),
            state=JobState.RECEIVING,
            source=source,
            asked=Asked.model_validate(asked.model_dump(include=set(Asked.model_fields))),
            created=now(),
        )
        kept = KeptJob(caller=caller, record=record)
        try:
            self._of(record).mkdir(mode=0o700)
        except OSError as error:
            logger.warning("%s", _unusable(self._folder, error))
            raise WorkError(UNUSABLE) from None
        try:
            self.save(kept)
        except WorkError:
            self.remove(record)
            raise
        self.jobs[record.job] = kept
        return kept

    def save(self, kept: KeptJob) -> None:
        """Put what is known now on disk. Raises WorkError."""
        self.write(kept.record, RECORD, kept.model_dump_json(indent=2) + "\n")

    def note(self, kept: KeptJob) -> None:
        """``save``, as far as the disk lets us: until a restart what is known here counts."""
        try:
            self.save(kept)
        except WorkError as error:
            logger.warning("job %s: %s, not noted: %s", kept.record.job, kept.record.state, error)

    def write(self, record: JobRecord, name: str, text: str) -> None:
        """Put a file beside the record. Raises WorkError, which tells callers no path of ours."""
        try:
            write_text(self._of(record) / name, text, overwrite=True)
        except (OSError, StradError) as error:
            logger.warning("job %s: %s", record.job, error)
            raise WorkError(UNUSABLE) from None

    def media(self, record: JobRecord) -> Path:
        """Where the job's file lies while it is needed."""
        return self._of(record) / MEDIA

    def result(self, record: JobRecord, name: str) -> Path:
        return self._of(record) / name

    def remove(self, record: JobRecord) -> None:
        """Forget it, with all its files."""
        self.jobs.pop(record.job, None)
        shutil.rmtree(self._of(record), ignore_errors=True)

    def prune(self, most: int, days: float) -> None:
        """Forget finished ones that are too old, and the oldest of those too many."""
        over = [kept.record for kept in self.jobs.values() if kept.record.state in OVER]
        oldest = now() - timedelta(days=days)
        surplus = over[: max(0, len(over) - most)]
        for record in over:
            if record in surplus or (record.finished or record.created) < oldest:
                self.remove(record)

    def _of(self, record: JobRecord) -> Path:
        return self._folder / record.job

    def _load(self) -> None:
        found = []
        for path in self._folder.iterdir():
            if re.fullmatch(ID, path.name) and path.is_dir():
                try:
                    found.append(KeptJob.model_validate_json((path / RECORD).read_bytes()))
                except (OSError, ValidationError):
                    shutil.rmtree(path, ignore_errors=True)
        for kept in sorted(found, key=lambda kept: kept.record.created):
            self.jobs[kept.record.job] = kept
            if kept.record.state not in OVER:
                kept.record.state, kept.record.finished = JobState.INTERRUPTED, now()
                self.note(kept)
            self.media(kept.record).unlink(missing_ok=True)


def _unusable(folder: Path, error: OSError) -> WorkError:
    return WorkError(f"jobs can't be kept in {folder}: {(error.strerror or str(error)).lower()}")
