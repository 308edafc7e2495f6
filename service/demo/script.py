"""What a made clip really holds: who speaks when, and what is on screen when. Its ground truth.

Times in the file are seconds from the start of the clip; ``when`` gives them as media time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from strad.errors import FormatError
from strad.timeline import Interval, Ms, from_seconds, subtract


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Span(_Value):
    start: float = Field(ge=0)
    end: float

    @model_validator(mode="after")
    def _in_order(self) -> _Span:
        if self.end <= self.start:
            raise ValueError(f"ends at {self.end}, before it starts")
        return self

    @property
    def when(self) -> Interval:
        return Interval(from_seconds(self.start), from_seconds(self.end))


class Thing(_Value):
    """Something a picture shows, by every name that is true of it, the plainest first."""

    names: tuple[str, ...] = Field(min_length=1)
    count: int = Field(default=1, ge=1)
    subject: bool = False
    """Whether the picture is of it: a description of the picture names at least one such thing."""
    traits: tuple[str, ...] = ()
    """Words that may be said of it: colours, looks."""


class Picture(_Span):
    """A photograph, or a split screen of two, with the camera moving over it."""

    kind: Literal["picture"] = "picture"
    what: str
    """Its name in the catalogue; a split screen's two joined by ``+``."""
    move: str
    """How the camera moves: ``zoom in``, ``pan left``, ``hold`` ..."""
    things: tuple[Thing, ...]
    """What is in view during at least a part of the shot."""
    traits: tuple[str, ...] = ()
    """Words that may be said of the picture as a whole."""
    texts: tuple[str, ...] = ()
    """What can be read in the photograph itself."""

    @property
    def subjects(self) -> tuple[Thing, ...]:
        return tuple(thing for thing in self.things if thing.subject)


class Title(_Span):
    """Words on screen, on a card of their own or over a picture."""

    kind: Literal["title"] = "title"
    lines: tuple[str, ...] = Field(min_length=1)
    place: Literal["card", "lower third", "corner"]

    @property
    def text(self) -> str:
        """All lines, joined by one space."""
        return " ".join(self.lines)


class Speech(_Span):
    """Somebody speaks, from the first to the last sound of the voice."""

    kind: Literal["speech"] = "speech"
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.split())


Item: TypeAlias = Annotated[Picture | Title | Speech, Field(discriminator="kind")]
Fact: TypeAlias = Picture | Title


class Script(_Value):
    """Everything in one clip, in order of its start."""

    version: Literal[1] = 1
    seed: int
    seconds: float
    items: tuple[Item, ...]
    credits: tuple[str, ...] = ()
    """Where every picture and voice in it comes from, and under which licence."""

    @property
    def duration(self) -> Ms:
        return from_seconds(self.seconds)

    def speech_spans(self) -> list[Interval]:
        """When somebody speaks, in order."""
        return [item.when for item in self.items if isinstance(item, Speech)]

    def visible_facts(self) -> list[Fact]:
        """What a description could be about: pictures and titles, in order of their start."""
        return [item for item in self.items if not isinstance(item, Speech)]

    def cuts(self) -> list[Ms]:
        """When the picture changes as a whole, the first picture apart."""
        whole = (f for f in self.visible_facts() if isinstance(f, Picture) or f.place == "card")
        return [fact.when.start for fact in whole if fact.when.start > 0]

    def gaps(self, min_gap: Ms) -> list[Interval]:
        """The spans of at least ``min_gap`` in which nobody speaks."""
        free = subtract(Interval(0, self.duration), self.speech_spans())
        return [gap for gap in free if gap.duration >= min_gap]

    def gaps_with_change(self, min_gap: Ms) -> list[Interval]:
        """The gaps in which something new comes on screen."""
        starts = [fact.when.start for fact in self.visible_facts() if fact.when.start > 0]
        return [gap for gap in self.gaps(min_gap) if any(gap.start <= t < gap.end for t in starts)]

    def facts_with_gap(self, min_gap: Ms) -> list[Fact]:
        """Facts during whose own time on screen nobody speaks for at least ``min_gap`` on end."""
        return [f for f in self.visible_facts() if self._has_gap(f.when, min_gap)]

    def _has_gap(self, when: Interval, min_gap: Ms) -> bool:
        parts: Iterator[Interval] = iter(subtract(when, self.speech_spans()))
        return any(part.duration >= min_gap for part in parts)

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(self.model_dump_json(indent=2) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Script:
        """Read it back. Raises FormatError, or OSError where the file can't be read."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise FormatError(f"{where}: {first['msg']}", file=path.name) from error
