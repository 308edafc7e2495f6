"""A study: excerpts of programmes, the systems that described them, and what people are asked.

One JSON file holds all of it, texts included, so that a study can be run, kept and analysed alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from strad.errors import FormatError, InputError
from strad.record import Id, Record, Span, TimedText, parse_record
from strad.text_file import read_text
from strad_eval.material import Programme

REFERENCE = "reference"
"""The name that the references have where people rate them beside the systems."""
CONSENT = (
    "You will hear or read short audio descriptions of films and say what you think of them.",
    "It takes as long as you like, and you can stop at any time: what you have answered until then"
    " is kept, the rest is not asked for.",
    "Your answers are stored on this computer under a random code, with how long each took. No"
    " name, address or sound of yours is recorded. Answers may be published under that code.",
)


class Scale(Record):
    """One thing to rate, from 1 up."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    question: Annotated[str, Field(pattern=r"\S")]
    labels: Annotated[tuple[str, ...], Field(min_length=2, max_length=11)]
    """A word for each step, lowest first."""


SCALES = (
    Scale(
        id="clear",
        question="From the descriptions, could you follow what happens?",
        labels=("Not at all", "A little", "Half of it", "Mostly", "Completely"),
    ),
    Scale(
        id="fitting",
        question="Did the descriptions come at the right moments?",
        labels=("Never", "Seldom", "Half the time", "Mostly", "Always"),
    ),
    Scale(
        id="amount",
        question="Was it enough, and not too much?",
        labels=("Far off", "Rather off", "Acceptable", "Nearly right", "Just right"),
    ),
    Scale(
        id="wanted",
        question="Would you watch a whole programme with these descriptions?",
        labels=("Certainly not", "Rather not", "Perhaps", "Probably", "Certainly"),
    ),
)


class Excerpt(Span):
    """A stretch of a video, with what each system says in it. Times are the video's, in seconds."""

    id: Id
    video: Id
    reference: tuple[TimedText, ...]
    speech: tuple[TimedText, ...] | None = None
    """What is said in the programme; None where it is not known."""
    systems: dict[str, tuple[TimedText, ...]]


class Study(Record):
    """The whole study."""

    strad: Literal["study"]
    version: Literal[1]
    name: Id
    seed: int = 0
    """Of every order that is drawn."""
    consent: tuple[str, ...] = CONSENT
    """Paragraphs."""
    kinds: tuple[Literal["scales", "ab"], ...] = ("scales", "ab")
    """Whether people rate one system at a time, compare two, or first the one, then the other."""
    scales: Annotated[tuple[Scale, ...], Field(min_length=1)] = SCALES
    excerpts: Annotated[tuple[Excerpt, ...], Field(min_length=1)]

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(sorted({name for excerpt in self.excerpts for name in excerpt.systems}))

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        ids = [excerpt.id for excerpt in self.excerpts]
        if len(set(ids)) < len(ids):
            raise ValueError("two excerpts have the same id")
        scales = [scale.id for scale in self.scales]
        if len(set(scales)) < len(scales):
            raise ValueError("two scales have the same id")
        if any(set(excerpt.systems) != set(self.systems) for excerpt in self.excerpts):
            raise ValueError("every excerpt must have every system")
        return self


def read_study(path: Path) -> Study:
    """The study in a file. Raises FormatError with file and line."""
    study = parse_record(Study, read_text(path), file=str(path))
    if "ab" in study.kinds and len(study.systems) < 2:
        raise FormatError("kinds: to compare takes two systems", file=str(path))
    return study


def excerpts_of(
    systems: dict[str, Sequence[Programme]], *, length: float, count: int, seed: int
) -> tuple[Excerpt, ...]:
    """``count`` stretches of ``length`` s that have references, drawn by the seed.

    Every system's programmes must be of the same videos in the same order. Videos take turns, so
    that a long one does not crowd out the others. Raises InputError where nothing can be drawn.
    """
    programmes = next(iter(systems.values()))
    draw = random.Random(f"excerpts {seed}")
    waiting = [_stretches(programme, length, draw) for programme in programmes]
    chosen: list[tuple[int, float]] = []
    while any(waiting) and len(chosen) < count:
        for at, stretches in enumerate(waiting):
            if stretches and len(chosen) < count:
                chosen.append((at, stretches.pop()))
    if not chosen:
        raise InputError("no stretch of the videos has references: nothing to rate")
    return tuple(_excerpt(systems, at, start, length) for at, start in sorted(chosen))


def _stretches(programme: Programme, length: float, draw: random.Random) -> list[float]:
    """Where each whole stretch with at least one reference begins, shuffled."""
    starts = sorted({int(event.start // length) * length for event in programme.references})
    draw.shuffle(starts)
    return starts


def _excerpt(
    systems: dict[str, Sequence[Programme]], at: int, start: float, length: float
) -> Excerpt:
    programme = next(iter(systems.values()))[at]
    end = min(start + length, max(programme.duration, start + 1.0))
    lines = programme.lines
    return Excerpt(
        id=f"{programme.id}@{start:g}",
        video=programme.id,
        start=start,
        end=end,
        reference=_within(programme, start, end, predicted=False),
        speech=None
        if lines is None
        else tuple(
            TimedText(start=s, end=e, text=text) for (s, e), text in lines if s < end and e > start
        ),
        systems={
            name: _within(listed[at], start, end, predicted=True)
            for name, listed in systems.items()
        },
    )


def _within(
    programme: Programme, start: float, end: float, *, predicted: bool
) -> tuple[TimedText, ...]:
    """The descriptions that start in the stretch and have words."""
    events = programme.predictions if predicted else programme.references
    return tuple(
        TimedText(start=event.start, end=event.end, text=event.text)
        for event in events
        if start <= event.start < end and event.text
    )
