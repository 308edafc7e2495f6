"""A scene of a film: what is seen and what is heard, with times. One line of JSONL each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from question_generation.provenance import Traced
from strad.line_file import LineFile
from strad.questions import Segment
from strad.record import Id, Record, TimedText
from strad.timeline import Interval, from_seconds

Kind: TypeAlias = Literal["visual", "dialogue", "sound", "music", "vocal traits"]


class ScenesHeader(Record):
    """The optional first line of a file of scenes."""

    strad: Literal["scenes"]
    version: Literal[1]


class FilmFacts(Record):
    """What is known of a film from elsewhere."""

    title: str | None = None
    genre: tuple[str, ...] = ()
    year: int | None = None
    cast: tuple[str, ...] = ()
    """Names, of characters or of actors, as they may stand in questions."""
    plot: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a scene's text."""

    kind: Kind
    said: TimedText


class Scene(Traced):
    """One scene. Times are seconds, absolute in the video."""

    video_id: Id
    """What is played: a film, or a clip of one."""
    film_id: Id | None = None
    """The film that the video is from; None: the video is the film. Splits are by film."""
    segment: Segment
    """Start and end, in seconds of the video."""
    visuals: tuple[TimedText, ...] = ()
    """Descriptions of what is seen."""
    dialogue: tuple[TimedText, ...] = ()
    """Lines that are spoken."""
    sounds: tuple[TimedText, ...] = ()
    """Sound events."""
    music: tuple[TimedText, ...] = ()
    """Descriptions of the music."""
    vocal_traits: tuple[TimedText, ...] = ()
    """How lines are spoken: each with the times of its line."""
    facts: FilmFacts | None = None
    clip: str | None = None
    """Path or name of the video file, relative to the folder of clips."""
    split: str | None = None
    """``train`` or ``test``, where it is settled before questions are made."""

    @property
    def film(self) -> str:
        return self.film_id or self.video_id

    @property
    def when(self) -> Interval:
        """The segment in whole milliseconds."""
        return Interval(from_seconds(self.segment[0]), from_seconds(self.segment[1]))

    def lines(self, *kinds: Kind) -> list[Line]:
        """The lines of these kinds (none named: all), by time; what is seen before what is said."""
        found: list[Line] = []
        for kind, said in self._kinds():
            if not kinds or kind in kinds:
                found += [Line(kind, one) for one in said if one.text.strip()]
        return sorted(found, key=lambda line: (line.said.start, line.said.end))

    def _kinds(self) -> tuple[tuple[Kind, tuple[TimedText, ...]], ...]:
        return (
            ("visual", self.visuals),
            ("dialogue", self.dialogue),
            ("sound", self.sounds),
            ("music", self.music),
            ("vocal traits", self.vocal_traits),
        )


SCENES = LineFile(ScenesHeader, Scene)
