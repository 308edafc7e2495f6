"""What ``strad demo`` prints at its end: the stream's figures, and what the script says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from service.demo.ground_truth import Verdict
from service.demo.script import Fact, Picture
from strad.timeline import to_seconds
from strad.wire.answering import Spread, Summary

MEANINGS = {
    "media": "how much was streamed",
    "events": "descriptions announced; withdrawn: somebody began to speak under them",
    "windows": "looks at the last 8 s; skipped: newer media had come; no gap: no room to speak",
    "waits": "windows about which nothing is said, by reason",
    "drops": "descriptions decided and not spoken, by reason",
    "load": "time to answer over the 2 s between windows; above 1 it is too slow",
    "rtf": "time to answer over the media gone on, mean over windows that describe",
    "lag_cursor": "end of the window minus start of the description",
    "lag_emit": "newest media when it was announced, minus its start: what the delay must cover",
    "overlap": "descriptions that lie on speech",
    "described": "of what the clip holds where there is room to speak",
    "missed": "of that, what was not described",
    "not in script": "what was described and the clip does not hold",
}
"""Of every figure, in a line."""


def figures(summary: Summary, verdict: Verdict | None) -> Table:
    """Three columns: a figure's name, its value, what it is. Times in seconds."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_column(style="dim")
    for name, value in [*_stream(summary), *(_script(verdict) if verdict else [])]:
        table.add_row(Text(name), Text(value), Text(MEANINGS[name]))
    return table


def _stream(summary: Summary) -> Sequence[tuple[str, str]]:
    return [
        ("media", f"{summary.live_edge:.1f} s"),
        ("events", f"{summary.events} ({summary.withdrawn} withdrawn)"),
        ("windows", f"{summary.windows} asked, {summary.skipped} skipped, {summary.no_gap} no gap"),
        ("waits", _counts(summary.waits)),
        ("drops", _counts(summary.drops)),
        ("load", _spread(summary.load)),
        ("rtf", "nothing measured" if summary.rtf is None else f"{summary.rtf:.3f}"),
        ("lag_cursor", _spread(summary.lag_cursor, " s")),
        ("lag_emit", _spread(summary.lag_emit, " s")),
    ]


def _script(verdict: Verdict) -> Sequence[tuple[str, str]]:
    known = len(verdict.described) + len(verdict.missed)
    wrong = [
        f'"{one.cue.text}" at {to_seconds(one.cue.when.start):.1f} s' for one in verdict.unsupported
    ]
    return [
        ("overlap", f"{to_seconds(verdict.overlap):.2f} s with the speech in the clip's script"),
        ("described", f"{len(verdict.described)} of {known} scripted facts that have a gap"),
        ("missed", "; ".join(_fact(fact) for fact in verdict.missed) or "nothing"),
        ("not in script", "; ".join(wrong) or "nothing"),
    ]


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items())) or "none"


def _spread(spread: Spread | None, unit: str = "") -> str:
    if spread is None:
        return "nothing measured"
    return f"p50 {spread.p50:.2f}{unit}, p95 {spread.p95:.2f}{unit}, max {spread.max:.2f}{unit}"


def _fact(fact: Fact) -> str:
    shown = fact.what if isinstance(fact, Picture) else f'"{fact.text}"'
    return f"{shown} at {to_seconds(fact.when.start):.1f} s"
