"""What a running stream tells the outside: AD, withdrawals, drops, progress. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from strad.cues import AdEvent
from strad.decision import Describe, Wait
from strad.timeline import Interval, Ms
from streaming.media import MediaNotice


class DropReason(StrEnum):
    """Why a description that was decided is not spoken."""

    NO_GAP = "no-gap"
    """Its moment passed without a gap at all."""
    TOO_LONG = "too-long"
    """No form of it fitted the gap, even spoken faster."""
    TOO_LATE = "too-late"
    """The answer came when the viewers' playhead had passed."""
    REPEAT = "repeat"
    """It says what was said lately."""
    CROWDED = "crowded"
    """Too many descriptions were waiting for a gap."""


class WithdrawReason(StrEnum):
    """Why a provisional AD must not be spoken after all."""

    SPEECH = "speech"
    """Somebody began to speak under it, or a sound that is protected began."""
    UNHEARD = "unheard"
    """Media got lost under it: nobody knows who speaks there."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The provisional AD ``event_id`` must stop: clients yield."""

    event_id: str
    at: Ms
    reason: WithdrawReason


@dataclass(frozen=True, slots=True)
class Dropped:
    """A description was decided but is not spoken."""

    at: Ms
    reason: DropReason
    describe: Describe


@dataclass(frozen=True, slots=True)
class WindowAsked:
    """One window has been answered: a line of the efficiency log."""

    cursor: Ms
    """The window's end."""
    advance: Ms
    """How far the cursor moved: the step here, and the jump to a predicted end past it."""
    wall: float
    """Seconds from the question to the answer."""
    decision: Describe | Wait
    emitted_at: Ms
    """Newest media time when the answer was in."""
    stages: tuple[tuple[str, float], ...] = ()
    """Named parts of ``wall``, in seconds, after ``decide``, which is all of it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the stream stands. Sent a few times a minute of wall time."""

    live_edge: Ms
    """Newest media time."""
    cursor: Ms
    lag_emit: Ms | None
    """Of the latest AD event."""
    load: float | None
    """Decide seconds over stride, of the latest windows; above 1 the describer is too slow."""
    skipped: int
    """Windows never asked, so far."""


@dataclass(frozen=True, slots=True)
class DescriberState:
    """The describer gives no answers any more, or gives them again. Told once each time."""

    up: bool
    at: Ms
    """The cursor when it was noticed."""
    why: str
    """For the operator: it may name a server. Empty when it is up."""
    hole: Interval
    """The media that no answer has looked at; so far, or until it was back. May be empty."""


Announcement: TypeAlias = (
    AdEvent | Withdrawn | Dropped | WindowAsked | Progress | MediaNotice | DescriberState
)
