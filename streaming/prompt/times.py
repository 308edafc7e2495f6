"""How a model family writes a time: seconds with one decimal, in brackets of its own. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.timeline import Ms

STEP: Ms = 100
"""One decimal."""


def rounded(t: Ms) -> Ms:
    """To the nearest tenth of a second; halves go up."""
    return (t + STEP // 2) // STEP * STEP


def decimal(t: Ms) -> str:
    """``2.5`` for 2,500 ms."""
    tenths = (t + STEP // 2) // STEP
    sign = "-" if tenths < 0 else ""
    return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10}"


@dataclass(frozen=True, slots=True)
class TimeMarks:
    """What stands before and after the number."""

    before: str
    after: str

    def __call__(self, t: Ms) -> str:
        """The time as this family writes it."""
        return f"{self.before}{decimal(t)}{self.after}"
