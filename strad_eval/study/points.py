"""What people said of each system in each excerpt, and what the metrics say of the same."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from strad.csv_rows import read_rows
from strad.errors import FormatError
from strad.manifest import Manifest, TranscriptLine, Video
from strad.predictions import Prediction
from strad.record import TimedText
from strad_eval.material import Predictions, bring_together
from strad_eval.readings import readings
from strad_eval.stream import score_stream
from strad_eval.study.plan import Excerpt, Study
from strad_eval.study.ratings import Rating

Point = tuple[str, str]
"""System and excerpt."""
Values = Mapping[Point, float]


@dataclass(slots=True)
class Opinions:
    """What people said."""

    ratings: dict[str, dict[Point, list[float]]] = field(default_factory=dict)
    """By scale."""
    choices: list[tuple[str, str, str]] = field(default_factory=list)
    """Excerpt, the system that was preferred, the other one."""
    undecided: int = 0
    participants: int = 0

    def means(self, scale: str) -> dict[Point, float]:
        """The mean rating of each point."""
        return {point: math.fsum(v) / len(v) for point, v in self.ratings[scale].items()}


def opinions(ratings: Iterable[Rating]) -> Opinions:
    """All ratings by what they are of."""
    found = Opinions()
    kept = list(ratings)
    found.participants = len({one.participant for one in kept})
    table: dict[str, dict[Point, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in kept:
        if one.scales is not None:
            for scale, value in one.scales.items():
                table[scale][one.systems[0], one.excerpt].append(float(value))
        elif one.preferred == "neither":
            found.undecided += 1
        else:
            first, second = one.systems if one.preferred == "A" else one.systems[::-1]
            found.choices.append((one.excerpt, first, second))
    found.ratings = {scale: dict(points) for scale, points in table.items()}
    return found


def metric_values(study: Study) -> tuple[dict[str, dict[Point, float]], list[str]]:
    """Every figure of ``stream`` on each excerpt by itself; and what could not be scored.

    Excerpts are scored together, as videos of one set, so that CIDEr knows more than a minute.
    """
    values: dict[str, dict[Point, float]] = defaultdict(dict)
    missing: list[str] = []
    chosen = readings("strad", ("chunk_s=0", "idf=set"))
    for system in study.systems:
        manifest, given = _as_set(study, system)
        result = score_stream(bring_together(manifest, given, chosen), chosen)
        missing = result.not_scored
        tally = result.tally
        for name in tally.names:
            for row, unit in enumerate(tally.units):
                value = tally.value(name, [row])
                if not math.isnan(value):
                    values[name][system, unit.video] = value
    return dict(values), missing


def read_scores(path: Path, study: Study) -> dict[str, dict[Point, float]]:
    """Other metrics from a CSV: ``system,excerpt`` and a column for each metric; empty is none."""
    known = {excerpt.id for excerpt in study.excerpts}
    values: dict[str, dict[Point, float]] = defaultdict(dict)
    seen: set[Point] = set()
    for line, row in read_rows(path, ("system", "excerpt")):
        point = row["system"], row["excerpt"]
        if point[0] not in study.systems or point[1] not in known:
            what = f"the study has no {point[0]!r} in {point[1]!r}"
            raise FormatError(what, file=str(path), line=line)
        if point in seen:
            what = f"{point[0]!r} in {point[1]!r} stands there twice"
            raise FormatError(what, file=str(path), line=line)
        seen.add(point)
        for name, text in row.items():
            if name not in ("system", "excerpt") and text:
                values[name][point] = _number(text, name, path, line)
    return dict(values)


def write_scores(path: Path, values: Mapping[str, Values]) -> None:
    """The same as a CSV, for other programs."""
    points = sorted({point for one in values.values() for point in one})
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["system", "excerpt", *values])
        for point in points:
            table.writerow([*point, *(values[name].get(point, "") for name in values)])


def _number(text: str, name: str, path: Path, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(f"{name}: not a number: {text!r}", file=str(path), line=line)
    return value


def _as_set(study: Study, system: str) -> tuple[Manifest, Predictions]:
    """Each excerpt as a video of its own that begins at 0."""
    videos, items = [], []
    for excerpt in study.excerpts:
        lines = None
        if excerpt.speech is not None:
            lines = tuple(
                TranscriptLine(start=one.start, end=one.end, text=one.text)
                for one in _moved(excerpt, excerpt.speech)
            )
        videos.append(
            Video(
                id=excerpt.id,
                duration=max(excerpt.end - excerpt.start, 0.001),
                ad=tuple(_moved(excerpt, excerpt.reference)),
                transcript=lines,
            )
        )
        items += [
            Prediction(video_id=excerpt.id, start=one.start, end=one.end, text=one.text)
            for one in _moved(excerpt, excerpt.systems[system])
        ]
    manifest = Manifest(version=1, name=study.name, videos=tuple(videos))
    return manifest, Predictions(None, tuple(enumerate(items, start=1)), system)


def _moved(excerpt: Excerpt, lines: Sequence[TimedText]) -> list[TimedText]:
    """The lines on the excerpt's own clock; what began before it begins with it."""
    return [
        TimedText(
            start=max(0.0, one.start - excerpt.start),
            end=max(0.0, one.end - excerpt.start),
            text=one.text,
        )
        for one in lines
    ]
