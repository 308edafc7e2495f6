"""How many gaps of real programmes three lengths of a description fill, against one of eight words.

One description is offered to each gap of ``../shared/data``: where people have described, and
between the lines of captions. Exit status: 0 target met, or no data; 1 missed.
"""

from __future__ import annotations

import sys

from streaming.placement import Limits
from tests.streaming.describers.strad_zero.gap_filling import (
    DATA,
    LIMITS,
    ONE,
    STEADY,
    THREE,
    Filled,
    Gaps,
    fill,
    sources,
)

MORE = 1.3


def compare(name: str, programmes: list[Gaps], limits: Limits) -> bool:
    """Print both; whether three lengths fill enough more, none past its gap."""
    one, three = fill(programmes, ONE, limits), fill(programmes, THREE, limits)
    print(f"{name}, up to {limits.max_rate:g} times 150 words a minute: {one.gaps} gaps")
    show("8 words", one)
    show("4, 8 or 14", three)
    more = three.filled / max(1, one.filled)
    met = more >= MORE and not one.past and not three.past
    verdict = "met" if met else "MISSED"
    print(f"  {100 * (more - 1):+.0f} % gaps filled; target +30 %, none past its gap: {verdict}")
    return met


def show(what: str, found: Filled) -> None:
    """One line."""
    print(
        f"  {what:<10} {100 * found.share:5.1f} % filled, {found.words:6} words spoken "
        f"({100 * found.lost:.1f} % of the longest form's lost), past the gap: {found.past}"
    )


def main() -> int:
    """Both limits, every source."""
    if not DATA.is_dir():
        print(f"no {DATA}: nothing to measure")
        return 0
    met = [
        compare(name, programmes, limits)
        for limits in (LIMITS, STEADY)
        for name, programmes in sources()
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
