"""The passes of a whole video's description (JSON lines): what a person may read and correct.

Five files, each made from those before it. A header says from what a file was made and what it
held then: where its lines differ from that, a person has corrected them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field

from strad.errors import FormatError
from strad.line_file import LineFile
from strad.record import Id, Record, Seconds, Span, TimedText

Importance = Annotated[int, Field(ge=0, le=3)]
"""0: nothing new. 1: detail. 2: helps to follow. 3: can't be followed without."""


class PassName(StrEnum):
    """In the order in which they are made."""

    LISTEN = "listen"
    LOOK = "look"
    ENTITIES = "entities"
    WRITE = "write"
    WHOLE = "whole"


class PassHeader(Record):
    """The first line: which pass, from what it was made, and what it held when it was written."""

    strad: Literal["document-pass"]
    version: Literal[1]
    stage: Annotated[PassName, Field(strict=False)]
    inputs: str
    """SHA-256 of all that it was made from: another one, and the pass is made again."""
    written: str = ""
    """SHA-256 of the lines as they were written; another one, and a person has corrected them."""
    duration: Seconds | None = None
    """Of the video, in seconds; ``listen`` only."""


class Line(Record):
    """One line; its id is stable while its pass is not made again."""

    id: Id


class Heard(TimedText, Line):
    """``listen``: what was said, where nobody speaks, and what must not be spoken over."""

    kind: Literal["speech", "gap", "protected"]
    text: str = ""
    """What was said; of a protected span, which sound."""


class Looked(Span, Line):
    """``look``: what the pictures of one step show."""

    seen: str
    """Empty where nothing is seen."""
    people: tuple[str, ...] = ()
    """How each person or animal looks, in the same words each time."""
    read: tuple[str, ...] = ()
    """Words on screen."""
    importance: Importance = 0
    synopsis: str = ""
    """The story so far, this step included."""
    failed: str | None = None
    """Why there is nothing, where the model's answers could not be used."""


class Person(Line):
    """``entities``: one character."""

    description: str
    """What they are called before the programme names them: ``the woman in red``."""
    name: str | None = None
    """The one name that is used for them; None where the programme gives none."""
    learned: Seconds | None = None
    """From here on the programme has named them, in seconds; None with a name: from the start."""
    source: Literal["dialogue", "on-screen"] | None = None
    looks: tuple[str, ...] = ()
    """The words of ``look`` for them."""
    aliases: tuple[str, ...] = ()
    """Other names of theirs; replaced by ``name``."""
    unproven: tuple[str, ...] = ()
    """Names that a model gave them and the programme never did; never used."""


class Guess(Line):
    """Of the unfinished ``entities``: one answer about who is who."""

    people: tuple[PersonGuess, ...] = ()
    failed: str | None = None


class NameGuess(Record):
    """A name, and the line that gives it."""

    name: str
    source: str = ""
    """The id of a line of ``listen`` or ``look``."""


class PersonGuess(Record):
    """What an answer says of one person."""

    id: str = ""
    looks: tuple[str, ...] = ()
    description: str = ""
    names: tuple[NameGuess, ...] = ()


Guess.model_rebuild()


class Written(Span, Line):
    """``write``: what may be said in one span that is free to speak in."""

    forms: tuple[str, ...] = ()
    """The same, short to long; empty where nothing is said."""
    about: Seconds = 0.0
    """When it is seen, in seconds."""
    importance: Importance = 0
    skipped: str | None = None
    """Why nothing is said."""


class Spoken(TimedText, Line):
    """``whole``: what is said, and when; or what was dropped, in its free span."""

    dropped: str | None = None
    """Why it isn't said."""


AnyLine = TypeVar("AnyLine", bound=Line)


@dataclass(frozen=True, slots=True)
class PassFile(Generic[AnyLine]):
    """One pass: its name and its format."""

    name: PassName
    format: LineFile[PassHeader, AnyLine]

    @property
    def number(self) -> int:
        """From 1."""
        return list(PassName).index(self.name) + 1

    @property
    def file(self) -> str:
        """Its file's name."""
        return f"{self.number}-{self.name}.jsonl"

    def read(self, text: str, *, file: str) -> tuple[PassHeader, list[AnyLine]]:
        """Header and lines. Raises FormatError with the line of what is wrong."""
        header, lines = self.format.read(text.split("\n"), file=file)
        if header is None or header.stage is not self.name:
            raise FormatError(f"is not the pass {self.name.value} of a document", file=file, line=1)
        _refuse_doubles(text, [line.id for line in lines], file)
        return header, lines


def _refuse_doubles(text: str, ids: Sequence[str], file: str) -> None:
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()][1:]
    counts = Counter[str]()
    for number, name in zip(numbers, ids, strict=True):
        counts[name] += 1
        if counts[name] > 1:
            raise FormatError(f"two lines have the id {name!r}", file=file, line=number)


def content_hash(lines: Sequence[Line]) -> str:
    """SHA-256 of what the lines hold, whatever their spaces and order of keys."""
    return hashlib.sha256("\n".join(line.line() for line in lines).encode()).hexdigest()


LISTEN = PassFile(PassName.LISTEN, LineFile(PassHeader, Heard))
LOOK = PassFile(PassName.LOOK, LineFile(PassHeader, Looked))
ENTITIES = PassFile(PassName.ENTITIES, LineFile(PassHeader, Person))
GUESSES = PassFile(PassName.ENTITIES, LineFile(PassHeader, Guess))
WRITE = PassFile(PassName.WRITE, LineFile(PassHeader, Written))
WHOLE = PassFile(PassName.WHOLE, LineFile(PassHeader, Spoken))
