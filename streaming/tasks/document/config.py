"""How a whole video is described: one frozen dataclass. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.speech import GapSource
from strad.timeline import Ms
from streaming.protected import Protect


@dataclass(frozen=True, slots=True)
class DocumentConfig:
    """All times are media time."""

    step: Ms = 4_000
    """So much of the video is looked at in one request."""
    gaps: GapSource = GapSource.UNION
    protect: Protect = Protect.SPEECH
    """Which sounds are not spoken over, beside speech."""
    min_gap: Ms = 500
    language: str = "en"
    context: Ms = 120_000
    """How far back the writer reads."""
    after_speech: Ms = 250
    before_speech: Ms = 400
    """Kept free around speech, as in the stream (``streaming.placement.Limits``)."""
    spacing: Ms = 250
    """Kept free between two descriptions."""
    max_early: Ms = 500
    """A description starts at most this long before the step that it is about."""
    least_slot: Ms = 1_200
    """Three words; nothing shorter is written for."""
    longest_slot: Ms = 8_000
    """A longer gap is cut into slots of at most this."""
    most_a_minute: int = 10
    """Descriptions that begin within any minute. The benchmark's videos have 6.8 on average."""
    reach: Ms = 30_000
    """How far back a description may tell of what nobody had room to tell."""
    batch: int = 30
    """Steps in one request about who is who."""
    synopsis_words: int = 120
    tries: int = 3
    """Of an engine that fails, or answers what can't be read."""
    shortenings: int = 2
    """Times that a description too long for its slot is asked for shorter."""

    def __post_init__(self) -> None:
        if not 1_000 <= self.step <= 30_000:
            raise ValueError("a step of the document is 1 to 30 s")
