"""How one stream is described: one frozen dataclass. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from strad.speech import GapSource, Protect
from strad.timeline import Ms


class Placement(StrEnum):
    """Whether cues are moved to where they fit, or left where they were predicted."""

    FIT = "fit"
    OFF = "off"


class Pace(StrEnum):
    """Whether every window is asked, or only the newest one."""

    EVERY_WINDOW = "every-window"
    NEWEST = "newest"


LEAST_STRIDE: Ms = 100
"""Nothing happens between two ticks of the clock."""

MOST_DELAY: Ms = 120_000

LEAST_PROTECTING: Ms = 8_000
"""Sounds are known some seconds after they were heard: with less delay nothing could be placed."""


@dataclass(frozen=True, slots=True)
class StreamConfig:
    """The algorithm's settings (StrAD, section 4.3). All times are media time."""

    stride: Ms = 2_000
    """Step of the cursor between windows."""
    window: Ms = 8_000
    """How far back the describer sees pictures."""
    context: Ms = 120_000
    """How far back it reads transcript and earlier AD."""
    min_gap: Ms = 500
    """The shortest free span that makes a window worth asking about."""
    delay: Ms = 12_000
    """How far the viewers' playhead runs behind the live edge."""
    lead: Ms = 1_500
    """A cue is announced at least this far ahead of the playhead."""
    gaps: GapSource = GapSource.UNION
    placement: Placement = Placement.FIT
    pace: Pace = Pace.NEWEST
    frame_period: Ms = 1_000
    """Step of the absolute grid that frames lie on."""
    in_flight: int | None = 1
    """How many questions may be open at once; None: as many as help and the delay allows."""
    chunk: Ms | None = None
    """Where set, nothing is remembered across multiples of it (the paper's 30-minute chunks)."""
    language: str = "en"
    protect: Protect = Protect.SPEECH
    """What no description covers, beside speech."""
    names: bool = True
    """Whether names that the programme itself tells are offered to the describer."""

    def chunk_start(self, t: Ms) -> Ms:
        """Where the chunk that holds ``t`` begins; 0 where there are none."""
        return 0 if self.chunk is None else t - t % self.chunk

    def __post_init__(self) -> None:
        if not LEAST_STRIDE <= self.stride <= self.window <= self.context:
            raise ValueError("stride must be at least 0.1 s, and stride <= window <= context")
        if self.protect is not Protect.SPEECH and 0 <= self.delay < LEAST_PROTECTING:
            raise ValueError("protect: to protect sounds takes a delay of at least 8 s")
        if self.delay > MOST_DELAY:
            raise ValueError("delay can't be over 120 s")
        if self.delay < 0:
            raise ValueError("delay can't be negative")
        if self.lead < 0 or self.min_gap <= 0:
            raise ValueError("lead can't be negative, min_gap must be positive")
        if self.chunk is not None and self.chunk < self.window:
            raise ValueError("a chunk can't be shorter than a window")
        if self.in_flight is not None and self.in_flight < 1:
            raise ValueError("at least one question must be allowed in flight")
