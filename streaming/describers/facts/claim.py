"""A claim: one thing the describer could truthfully say, with the evidence for it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.decision import Kind
from strad.timeline import Ms
from streaming.describers.facts.vocabulary import FACE

TEXT_KEY = "text:"
LONGEST_BREAK: Ms = 2500
"""What was not seen for longer came anew."""
MANY = 3
"""From here on things are not counted."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``subject`` (a label, or a line read verbatim) was there at the times ``seen``."""

    kind: Kind
    subject: str
    seen: tuple[Ms, ...]
    """Times of the frames that show it, in order; never empty."""
    score: float
    """Mean over those frames."""
    by: frozenset[str]
    """The detectors that saw it."""
    count: int = 1
    """At least so many, MANY at most."""
    exact: bool = True
    """Whether no more than ``count`` were even suspected."""
    face: bool = False
    """Whether a face fills a good part of the picture."""
    place: str = ""
    """Where in the picture it stays, in words; empty where that is not plain or changes."""
    shot: Ms | None = None
    """When the shot that shows it now began, where that was seen and it lasted."""
    aspect: str = ""
    """Which of its aspects is told; empty for the thing as such."""

    @property
    def aspects(self) -> tuple[str, ...]:
        """What can be told of it, the best first."""
        told = (FACE if self.face else "", "", self.place)
        return tuple(dict.fromkeys(told))

    @property
    def since(self) -> Ms:
        """When it came into view last: with this shot, where the shot alone shows it well."""
        since = self.seen[-1]
        for t in reversed(self.seen):
            if since - t > LONGEST_BREAK or (self.shot is not None and t < self.shot):
                break
            since = t
        return since

    @property
    def key(self) -> str:
        """What makes it the same fact again, its count aside."""
        if self.kind is Kind.TEXT:
            return f"{TEXT_KEY}{plain(self.subject)}"
        return self.subject


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands behind one description, for provenance."""

    text: str
    claims: tuple[Claim, ...]


def plain(text: str) -> str:
    """Letters and digits only, without case: what two readings of one line share."""
    return "".join(c for c in text.casefold() if c.isalnum())
