"""A job's record: what is known of it, and what is kept of that on disk."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, Field

from service.pull.request import Asked
from service.refusals import Refusal
from streaming.sources import MAX_URL


class JobState(StrEnum):
    """How far a job has come."""

    RECEIVING = "receiving"
    """Its file is coming, by upload or from a URL."""
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The service stopped while it was under way. It is not gone on with."""


OVER = frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.INTERRUPTED})


class JobRequest(Asked):
    """Describe what is behind a URL, as fast as it goes."""

    url: Annotated[str, Field(min_length=1, max_length=MAX_URL, repr=False)]
    """http or https: a media file, or a finished HLS playlist."""


class JobRecord(BaseModel):
    """One job, as it is told and kept."""

    job: str
    """Its id."""
    state: JobState
    source: str
    """``upload``, or the URL without user, password and query."""
    asked: Asked
    created: datetime
    finished: datetime | None = None
    received: int = 0
    """Bytes of the file that have come."""
    described: float = 0.0
    """Seconds of media gone through."""
    duration: float | None = None
    """Seconds of media there are, where the file says so."""
    progress: Annotated[float | None, Field(ge=0, le=1)] = None
    """``described`` over ``duration``; null while that isn't known."""
    figures: dict[str, Any] | None = None
    """The summary that `strad describe` writes, when done."""
    error: Refusal | None = None


class KeptJob(BaseModel):
    """A record and whose it is: the file ``job.json``."""

    strad: str = "job"
    version: int = 1
    caller: str
    record: JobRecord
