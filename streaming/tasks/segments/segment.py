"""A segment: a moment of a film that is to be described, and what is known of it. Values. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.timeline import Interval, Ms
from streaming.characters.colours import Marked
from streaming.media import AudioChunk, VideoFrame
from streaming.window import Window

PAD: Ms = 2_000
"""Shown before and after (StrAD, 5.1)."""
PICTURES = 8
"""Evenly spaced over what is shown (StrAD, 5.1)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One row of a data set."""

    line: int
    """In its file."""
    video: str
    """As the data set calls it: ``vid`` of the predictions."""
    start: float
    end: float
    """In seconds, as the data set has them: by these a prediction belongs to its reference."""
    when: Interval
    """The same in the media."""
    media: tuple[str, ...]
    """What the media may be called, in a folder and without an ending; the likeliest first."""
    films: tuple[str, ...]
    """IMDb ids by which a character bank may know it."""
    text: str
    """The reference, where the file has one. Shown to no model."""
    pad: Ms

    @property
    def shown(self) -> Interval:
        """What is to be seen of it; may go beyond the media."""
        return Interval(max(0, self.when.start - self.pad), self.when.end + self.pad)

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.video} {self.start:.1f}-{self.end:.1f}"


@dataclass(frozen=True, slots=True)
class Clip:
    """What is shown of a segment."""

    when: Interval
    """What is to be described."""
    shown: Interval
    frames: tuple[VideoFrame, ...]
    audio: tuple[AudioChunk, ...] = ()
    people: tuple[Marked, ...] = ()
    """Who is marked in the pictures."""
    language: str = "en"

    @property
    def origin(self) -> Ms:
        """The time of the first picture: 0 s of the times a fine-tuned model reads and writes."""
        return self.frames[0].t

    @property
    def names(self) -> tuple[str, ...]:
        """Who is marked, as a fine-tuned model is told."""
        return tuple(f"{one.name} ({one.colour} box)" for one in self.people)

    def window(self) -> Window:
        """As a window, for what makes parts of messages from windows. Nothing was said before."""
        return Window(
            when=self.shown,
            frames=self.frames,
            audio=self.audio,
            words=(),
            words_final_to=self.shown.end,
            history=(),
            gap=self.when,
            new_from=self.shown.start,
            language=self.language,
        )
