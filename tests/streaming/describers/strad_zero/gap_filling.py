"""A description is offered to each gap of real programmes, in three lengths or one, and placed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from strad.cues import Cue
from strad.speech import spoken_ms
from strad.timeline import Interval, Ms, from_seconds, merge, subtract
from strad.webvtt import read_webvtt
from streaming.captions import spoken
from streaming.config import StreamConfig
from streaming.placement import Ground, Limits, Offer, Placed, place

DATA = Path(__file__).parents[5] / "shared" / "data"
ONE, THREE = (8,), (4, 8, 14)
"""Words of the forms of each description."""
LIMITS = Limits()
STEADY = replace(LIMITS, max_rate=1.0)
"""Never faster than 150 words a minute."""
JOINED: Ms = 300
"""Descriptions so near to each other were spoken in one gap."""
LEAST = StreamConfig().min_gap

Gaps = Sequence[Interval]
"""Of one programme, in order, kept free of whatever must be kept free."""


@dataclass(frozen=True, slots=True)
class Filled:
    """What came of it."""

    gaps: int
    filled: int
    """Gaps with a description in them."""
    words: int
    """Spoken in them."""
    best: int
    """Had each description been spoken in its longest form."""
    past: int
    """Descriptions that do not lie in one gap from beginning to end."""

    @property
    def share(self) -> float:
        return self.filled / self.gaps

    @property
    def lost(self) -> float:
        """The share of the words of the longest forms that nobody hears."""
        return 1 - self.words / self.best


def fill(programmes: Iterable[Gaps], words: tuple[int, ...], limits: Limits = LIMITS) -> Filled:
    """Offer each gap one description of these lengths, about the time of the gap, in order."""
    lengths = tuple(spoken_ms("word " * count) for count in words)
    gaps = filled = heard = past = 0
    for free in programmes:
        cues = list(_placed(free, lengths, limits))
        gaps += len(free)
        filled += sum(any(gap.overlaps(cue.when) for cue in cues) for gap in free)
        heard += sum(words[cue.form] for cue in cues)
        past += sum(not any(_inside(cue.when, gap) for gap in free) for cue in cues)
    return Filled(gaps, filled, heard, gaps * words[-1], past)


def _placed(free: Gaps, lengths: tuple[Ms, ...], limits: Limits) -> Iterator[Placed]:
    """Each in its turn, with what is taken already kept free and half a second around it."""
    taken: list[Interval] = []
    for gap in free:
        left = [
            part
            for span in free
            if span.end > gap.start - 1_000 and span.start < gap.end + 10_000
            for part in subtract(span, [when.widen(limits.spacing) for when in taken[-4:]])
        ]
        ground = Ground(left, open=False, earliest=0, known_to=free[-1].end + 60_000)
        verdict = place(Offer(gap, lengths), ground, limits)
        if isinstance(verdict, Placed):
            taken.append(verdict.when)
            yield verdict


def _inside(when: Interval, gap: Interval) -> bool:
    return gap.start <= when.start and when.end <= gap.end


def described_gaps(file: Path, clip: str) -> Iterator[Gaps]:
    """Where a person has described: each run of descriptions of a clip is one gap."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for _, group in groupby(sorted(rows, key=lambda row: row[clip]), key=lambda row: row[clip]):
        spans = [_span(row) for row in group]
        joined = merge(span.widen(JOINED // 2) for span in spans)
        gaps = [span.widen(-(JOINED // 2)) for span in joined if span.duration > LEAST + JOINED]
        if gaps:
            yield gaps


def _span(row: Mapping[str, str]) -> Interval:
    return Interval(from_seconds(float(row["start"])), from_seconds(float(row["end"])))


def caption_gaps(file: Path) -> Gaps:
    """Between the lines of a caption file, what is kept free before and after speech taken off."""
    cues = [cue for cue in read_webvtt(file.read_text("utf-8")) if spoken(cue.text)]
    busy = [_kept_free(cue) for cue in cues]
    whole = Interval(0, max(cue.when.end for cue in cues))
    return [span for span in subtract(whole, busy) if span.duration >= LEAST]


def _kept_free(cue: Cue) -> Interval:
    return Interval(cue.when.start - LIMITS.before_speech, cue.when.end + LIMITS.after_speech)


def sources() -> Iterator[tuple[str, list[Gaps]]]:
    """The gaps of each source there is in ``DATA``."""
    for name, clip in (("cmdad", "cmd_filename"), ("tvad", "tvad_name")):
        yield f"AD spans, {name}", list(described_gaps(DATA / "ad" / f"{name}_anno.csv", clip))
    files = sorted((DATA / "vtt").glob("*_captions_*.vtt"))
    yield "between captions", [caption_gaps(file) for file in files]
