"""A claim: one thing the describer could truthfully say, with the evidence for it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.decision import Kind
from strad.timeline import Ms

TEXT_KEY = "text:"
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
    cut: bool = False
    """Whether it came with another shot."""
    shot: Ms | None = None
    """When the shot that shows it now began, where that was seen and it lasted."""
    returns: int = 0
    """How often it has come back since it was told first."""

    @property
    def since(self) -> Ms:
        """When it came into view: with this shot, where the shot alone shows it well enough."""
        if self.shot is None:
            return self.seen[0]
        return next(t for t in self.seen if t >= self.shot)

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
