"""The segment score: every figure that the instruments at hand allow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from strad.errors import WorkError
from strad_eval.meteor.statistics import aggregate
from strad_eval.meteor.statistics import score as meteor_scores
from strad_eval.metrics.action_score import action_score
from strad_eval.metrics.cider import cider_d
from strad_eval.metrics.critic import critic
from strad_eval.metrics.llm_ad_eval import figure_name, figure_title, rate, read_rating
from strad_eval.metrics.recall_within import Matrix, recall_within
from strad_eval.metrics.rouge_l import rouge_l
from strad_eval.metrics.share import Share, total
from strad_eval.segments.instruments import Actions, Casts, Instruments, Judged, Likeness
from strad_eval.segments.readings import SegmentReadings
from strad_eval.segments.row import Row, Rows


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the whole set. NaN where nothing defines it."""

    title: str
    value: float
    shown: float = 100.0
    """What tables multiply it by."""
    rows: int = 0
    """How many rows, or rows of windows, it is made of."""
    by_film: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class SegmentScore:
    """What came out."""

    rows: Rows
    readings: SegmentReadings
    figures: dict[str, Figure] = field(default_factory=dict)
    per_row: dict[str, list[float | None]] = field(default_factory=dict)
    """By metric, in the order of the rows."""
    not_scored: list[str] = field(default_factory=list)


def score_segments(rows: Rows, readings: SegmentReadings, given: Instruments) -> SegmentScore:
    """Every figure that ``given`` allows; what is missing is said, never guessed."""
    result = SegmentScore(rows, readings, not_scored=list(given.absent))
    _texts(result)
    if given.meteor is not None:
        try:
            _meteor(result, given)
        except WorkError as error:
            result.not_scored.append(f"METEOR is not scored: {error}")
    if given.likeness is not None:
        _recall(result, given.likeness)
    if given.casts is not None:
        _critic(result, given.casts)
    for judged in given.judged:
        _judged(result, judged)
    if given.actions is not None:
        _actions(result, given.actions)
    return result


def _texts(result: SegmentScore) -> None:
    pairs = [(row.reference.tokens, row.tokens) for row in result.rows.rows]
    _per_row(result, "cider", "CIDEr", cider_d(pairs))
    _per_row(result, "rouge_l", "ROUGE-L", [rouge_l(*pair) for pair in pairs])


def _per_row(result: SegmentScore, name: str, title: str, values: Sequence[float]) -> None:
    """A figure that is the mean of its rows."""
    films = _by_film(result.rows.rows, lambda at: _mean(values[row] for row in at))
    result.per_row[name] = list(values)
    result.figures[name] = Figure(title, _mean(values), rows=len(values), by_film=films)


def _meteor(result: SegmentScore, given: Instruments) -> None:
    assert given.meteor is not None
    rows = result.rows.rows
    counts = given.meteor.counts([(row.reference.tokens, row.tokens) for row in rows])
    values = meteor_scores(counts).tolist()
    if result.readings.meteor == "mean":
        _per_row(result, "meteor", "METEOR", values)
        return
    films = _by_film(rows, lambda at: aggregate(counts[list(at)]))
    result.per_row["meteor"] = values
    result.figures["meteor"] = Figure("METEOR", aggregate(counts), rows=len(rows), by_film=films)


def _recall(result: SegmentScore, likeness: Likeness) -> None:
    readings = result.readings
    rows = result.rows.in_film_order() if readings.recall_order == "film" else result.rows.rows
    if readings.recall_short_clips == "skip":
        size = Counter(row.clip for row in rows)
        short = {clip for clip, count in size.items() if count < readings.recall_n}
        if short:
            what = f"clips with fewer than {readings.recall_n} references (left out of recall)"
            result.rows.odd[what] = len(short)
        rows = [row for row in rows if row.clip not in short]

    def block(first: int, last: int) -> Matrix:
        window = rows[first:last]
        return likeness.matrix(
            [row.description for row in window], [row.reference.text for row in window]
        )

    empty = [row.empty for row in rows]
    n = readings.recall_n
    found = recall_within(block, empty, readings.recall_k, n, readings.recall_ties)
    for k, share in zip(readings.recall_k, found, strict=True):
        title = f"Recall@{k}/{n}"
        result.figures[f"recall_{k}_{n}"] = Figure(title, share.value, rows=int(share.whole))


def _critic(result: SegmentScore, casts: Casts) -> None:
    films = result.rows.by_film()
    shares: dict[str, Share] = {}
    for film, rows in films.items():
        if casts.names.get(film):
            references = [row.reference.text for row in rows]
            descriptions = [row.description for row in rows]
            shares[film] = critic(casts.names[film], references, descriptions, casts.coreference)
    without = len(films) - len(shares)
    if without:
        result.rows.odd["films without a cast list (left out of CRITIC)"] = without
    whole = total(shares.values())
    by_film = {film: share.value for film, share in shares.items()}
    result.figures["critic"] = Figure("CRITIC", whole.value, rows=int(whole.whole), by_film=by_film)


def _judged(result: SegmentScore, judged: Judged) -> None:
    drop = result.readings.unreadable == "drop"
    found = rate(judged.answers, judged.scale, drop_unreadable=drop)
    name = figure_name(judged.scale, judged.judge)
    if found.unreadable:
        said = "left out" if drop else "scored 0"
        what = f"answers of {judged.judge} on {judged.scale} without a rating ({said})"
        result.rows.odd[what] = found.unreadable
    result.per_row[name] = [
        0.0 if answer is None else read_rating(answer, judged.scale) for answer in judged.answers
    ]
    share = found.share
    result.figures[name] = Figure(figure_title(name), share.value, 1.0, int(share.whole))


def _actions(result: SegmentScore, actions: Actions) -> None:
    texts = [row.description for row in result.rows.rows]
    rows = list(zip(actions.of_row, texts, strict=True))
    skip = result.readings.missing == "drop"
    share = action_score(rows, actions.embedder, actions.parser, skip_empty=skip)
    without = sum(not known for known in actions.of_row)
    if without:
        result.rows.odd["rows without known actions (left out of ActionScore)"] = without
    result.figures["action_score"] = Figure("ActionScore", share.value, rows=int(share.whole))


def _by_film(rows: Sequence[Row], value: Callable[[Sequence[int]], float]) -> dict[str, float]:
    films: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        films.setdefault(row.film, []).append(at)
    return {film: value(at) for film, at in films.items()}


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return math.fsum(known) / len(known) if known else math.nan
