"""What was odd about the input: counted, printed with every score, never silently repaired."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

SAYS = {
    "videos without predictions": "scored as the reading 'missing' says",
    "predictions for unknown videos": "left out",
    "empty predictions": "scored 0",
    "empty references": "kept; nothing can match them",
    "duplicate predictions": "same video, times and text; all kept",
    "duplicate references": "same video, times and text; all kept",
    "overlapping predictions": "start before the one before has ended; all kept",
    "overlapping references": "start before the one before has ended; all kept",
    "predictions past the end": "start at or after the video's duration; all kept",
    "references past the end": "start at or after the video's duration; all kept",
    "predictions of no length": "no IoU above 0 is possible",
    "references of no length": "no IoU above 0 is possible",
    "reversed times": "start and end swapped",
    "widened times before 0": "made to start at 0",
    "predictions over the most kept": "left out, in file order",
    "texts with line separators": "separators made spaces",
    "videos without transcript": "OL, spill, gap use and two style rules leave them out",
    "chunks without references": "recall leaves them out",
    "chunks without anything": "left out of every mean",
    "duplicate windows": "in the efficiency log, same video and cursor; all kept",
    "LLM answers that could not be read": "scored as the reading 'unreadable' says",
    "label errors among the actions": "left out",
    "pairs without known actions": "ActionScore leaves them out",
}
"""What can be odd, and what was done about it."""


@dataclass(slots=True)
class Doubts:
    """Counts by name; only names of ``SAYS``."""

    counts: Counter[str] = field(default_factory=Counter)

    def note(self, what: str, times: int = 1) -> None:
        """Count one more of ``what``."""
        if what not in SAYS:
            raise KeyError(what)
        if times:
            self.counts[what] += times

    def lines(self) -> list[str]:
        """One line for each kind met, in the order of ``SAYS``."""
        return [f"{self.counts[what]} {what} ({SAYS[what]})" for what in SAYS if self.counts[what]]
