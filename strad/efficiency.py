"""The efficiency log (JSONL): what each window cost and what came of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from strad.line_file import LineFile
from strad.record import Id, Record, Seconds


class EfficiencyHeader(Record):
    """The optional first line."""

    strad: Literal["efficiency"]
    version: Literal[1]


class Outcome(StrEnum):
    """What the describer's answer to a window was."""

    AD = "ad"
    WAIT = "wait"
    FAILED = "failed"


class WindowLog(Record):
    """One window. Cursor, ``ad_start`` and ``emitted_at`` are media time, the rest wall time."""

    video_id: Id
    cursor: Seconds
    """Where the cursor stood when the describer was asked."""
    advance: Seconds
    """How far the cursor moved from this window to the next."""
    wall: Seconds
    """How long the window took, from question to answer; over ``advance`` it gives rtf."""
    decision: Outcome
    reason: str | None = None
    """Why it waited or failed (``WaitReason``)."""
    odds: float | None = None
    """Log-odds of AD against WAIT, where the describer knows them."""
    ad_start: Seconds | None = None
    """Where the description starts; only with ``ad``, where ``cursor - ad_start`` is the LAG."""
    emitted_at: Seconds | None = None
    """Newest media time when the description was announced."""
    stages: dict[str, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """Wall time of each stage, by name."""

    @model_validator(mode="after")
    def _start_belongs_to_ad(self) -> Self:
        if (self.decision is Outcome.AD) != (self.ad_start is not None):
            raise ValueError("ad_start is given exactly when the decision is ad")
        return self


EFFICIENCY = LineFile(EfficiencyHeader, WindowLog)
