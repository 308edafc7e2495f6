"""Plots as SVG text, to stand inside a page: bars, a histogram, a timeline."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from strad_eval.unit import Span

WIDTH = 1000
ROW_S = 300.0
"""Seconds of video in one row of a timeline."""
MOST_ROWS = 600
"""Of one timeline: 50 hours. What lies beyond is not drawn."""
_LANE = 12
_LABEL = 60

Lane = tuple[str, Sequence[tuple[Span, str]]]
"""A class name for its colour, and what lies on it: when, and the words to show."""


def bars(values: Sequence[tuple[str, float | None]], what: str) -> str:
    """One horizontal bar a label, longest value to the right edge. None is said to be undefined."""
    most = max((abs(v) for _, v in values if v is not None), default=0.0) or 1.0
    rows = []
    for row, (label, value) in enumerate(values):
        y = row * 26
        said = "not defined" if value is None else f"{value:.2f}"
        long = 0.0 if value is None else abs(value) / most * (WIDTH - 360)
        rows.append(f'<text x="210" y="{y + 17}" class="label">{escape(label)}</text>')
        rows.append(f'<rect x="220" y="{y + 4}" width="{long:.1f}" height="18" class="bar"/>')
        rows.append(f'<text x="{228 + long:.1f}" y="{y + 17}">{said}</text>')
    return _svg(max(1, len(values)) * 26, f"{what}: bar chart", rows)


def histogram(values: Sequence[float], step: float, reach: float, what: str, unit: str) -> str:
    """Counts in bins of ``step`` from -reach to reach; the outer bins hold what lies beyond."""
    bins = math.ceil(2 * reach / step)
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, math.floor((value + reach) / step)))] += 1
    most, wide = max(counts, default=0) or 1, WIDTH / bins
    parts = []
    for index, count in enumerate(counts):
        high = count / most * 150
        low = -reach + index * step
        title = f"{low:g} to {low + step:g} {unit}: {count}"
        parts.append(
            f'<rect x="{index * wide + 1:.1f}" y="{160 - high:.1f}" width="{wide - 2:.1f}"'
            f' height="{high:.1f}" class="bar"><title>{escape(title)}</title></rect>'
        )
    for mark in range(5):
        x, at = WIDTH * mark / 4, -reach + mark * reach / 2
        anchor = "start" if mark == 0 else "end" if mark == 4 else "middle"
        sign = f"{at:+g}" if at else "0"
        parts.append(f'<text x="{x:.0f}" y="180" text-anchor="{anchor}">{sign} {unit}</text>')
    parts.append(f'<line x1="{WIDTH / 2}" x2="{WIDTH / 2}" y1="0" y2="162" class="axis"/>')
    return _svg(190, f"{what}: histogram of {len(values)}", parts)


def timeline(duration: float, lanes: Sequence[Lane], what: str) -> str:
    """The lanes under each other, in rows of five minutes; each mark shows its words when asked."""
    high = len(lanes) * _LANE + 14
    rows = min(MOST_ROWS, max(1, math.ceil(duration / ROW_S)))
    parts: list[str] = []
    for row in range(rows):
        y = row * high
        parts.append(f'<text x="0" y="{y + _LANE * 2}">{_clock(row * ROW_S)}</text>')
        parts.append(f'<line x1="{_LABEL}" x2="{WIDTH}" y1="{y}" y2="{y}" class="axis"/>')
    for lane, (kind, marks) in enumerate(lanes):
        for span, words in marks:
            parts.extend(_mark(span, words, kind, lane, high, rows))
    return _svg(rows * high, what, parts)


def _mark(span: Span, words: str, kind: str, lane: int, high: int, rows: int) -> Iterable[str]:
    """A span's rectangles: one a row it touches."""
    scale = (WIDTH - _LABEL) / ROW_S
    first = int(span[0] // ROW_S)
    last = min(rows - 1, int(max(span[0], span[1] - 1e-9) // ROW_S))
    for row in range(first, last + 1):
        start = max(0.0, span[0] - row * ROW_S)
        end = min(ROW_S, span[1] - row * ROW_S)
        title = f"<title>{_clock(span[0])} {escape(words)}</title>" if words else ""
        yield (
            f'<rect x="{_LABEL + start * scale:.1f}" y="{row * high + lane * _LANE + 2}"'
            f' width="{max(1.0, (end - start) * scale):.1f}" height="{_LANE - 2}"'
            f' class="{kind}">{title}</rect>'
        )


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _svg(height: float, what: str, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(what)}">'
        + "".join(parts)
        + "</svg>"
    )
