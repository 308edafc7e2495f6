"""What could not be used, and why: counted, listed, and told in one line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from strad.speech import count_words
from strad.timeline import Interval, Ms
from streaming.prompt.line import MOST_TEXT

LONGEST: Ms = 60_000
"""Nobody describes for longer without a pause: a longer one is a mistake in a file."""


class Fault(StrEnum):
    """Why. The values are in ``dataset.json``."""

    BAD_ENTRY = "bad-entry"
    """A row, or an entry of a manifest, breaks its format."""
    BAD_CAPTIONS = "bad-captions"
    REVERSED_TIMES = "reversed-times"
    """It ends before it starts, or where it starts."""
    EMPTY_TEXT = "empty-text"
    """There is no word in it."""
    TOO_LONG = "too-long"
    """Over a minute, or more text than an answer can hold."""
    MISSING_MEDIA = "missing-media"
    CORRUPT_MEDIA = "corrupt-media"
    NO_AUDIO = "no-audio"
    NO_TRANSCRIPT = "no-transcript"
    """Segments only are made of it: nobody knows when it is free."""
    CUT_OFF = "cut-off"
    """The media broke off: what came before it is used."""
    OUTSIDE_MEDIA = "outside-media"
    """The media doesn't have it."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """One thing that was passed over."""

    fault: Fault
    what: str
    """The thing, for people: a file and line, or a film and a time."""
    why: str = ""


@dataclass(slots=True)
class Skips:
    """All of them."""

    listed: list[Skipped] = field(default_factory=list)

    def add(self, fault: Fault, what: str, why: str = "") -> None:
        """Note one."""
        self.listed.append(Skipped(fault, what, why))

    def counts(self) -> dict[str, int]:
        """How many of each fault."""
        return dict(sorted(Counter(one.fault.value for one in self.listed).items()))

    def line(self) -> str:
        """All in one line for a person; empty where there are none."""
        told = ", ".join(f"{count} {fault}" for fault, count in self.counts().items())
        return f"passed over {len(self.listed)}: {told}" if told else ""


def fault_in(when: Interval, text: str) -> Fault | None:
    """What is wrong with a description, if anything is."""
    if when.duration <= 0:
        return Fault.REVERSED_TIMES
    if not count_words(text):
        return Fault.EMPTY_TEXT
    too_long = when.duration > LONGEST or len(" ".join(text.split())) > MOST_TEXT
    return Fault.TOO_LONG if too_long else None


def doubtful(start: Ms, end: Ms) -> Interval:
    """When a description that is passed over may have been spoken, its times in any order."""
    first, last = max(0, min(start, end)), max(start, end)
    return Interval(first, max(first + 1, last))
