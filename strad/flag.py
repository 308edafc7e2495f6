"""A flag: a viewer's word that a description was wrong, or came too late. And the file of them.

It says nothing of who the viewer is: ``by`` tells flags of one viewer from those of another, and is
kept as a digest that fits no other log.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import StringConstraints

from strad.decision import Kind
from strad.line_file import LineFile
from strad.record import Id, Record, Span

MAX_NOTE = 500
"""Characters of a note."""

VIEWER_NAME = r"^[A-Za-z0-9_-]{1,64}$"
"""What a viewer may be told apart by."""

Note = Annotated[str, StringConstraints(max_length=MAX_NOTE)]
"""What is wrong, in the viewer's words. Nothing about the viewer belongs here."""

ViewerName = Annotated[str, StringConstraints(pattern=VIEWER_NAME)]


class FlagKind(StrEnum):
    """What the viewer found."""

    WRONG = "wrong"
    """It says what is not so."""
    LATE = "late"
    """What it tells of was over, or it came over something else."""
    OTHER = "other"
    """The note says what."""


class FlagsHeader(Record):
    """First line of a file of flags. Its other fields say where it comes from."""

    strad: Literal["flags"]
    version: Literal[1]
    stream: str = ""
    log: str = ""
    """Which programme under that name."""


class FlagLine(Record):
    """One flag."""

    kind: FlagKind
    note: Note = ""
    by: Id
    """The same for flags of one viewer of this log; means nothing elsewhere."""


class FlaggedEvent(Span):
    """One description that was flagged: what was said, when, by what, and what viewers found."""

    id: Id
    """The AD's name in its log."""
    text: str
    language: str
    kind: Kind
    forms: tuple[str, ...] = ()
    """All lengths that were on offer, short to long."""
    describer: str
    """What wrote it."""
    draft: bool
    window_end: float
    """Seconds: the newest media that it was decided from."""
    lag_emit: float
    """Seconds from ``start`` to the newest media when it was announced."""
    late: bool
    """Whether the viewers' playhead had passed it by then."""
    provisional: bool = False
    withdrawn: str | None = None
    """Why it was taken back, where it was and that is still known."""
    flags: tuple[FlagLine, ...]
    """At least one; oldest first where the keeper knows."""


FLAGS: LineFile[FlagsHeader, FlaggedEvent] = LineFile(FlagsHeader, FlaggedEvent)
