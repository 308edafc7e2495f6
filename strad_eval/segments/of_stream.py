"""Models asked of a stream's pairs: LLM-AD-Eval and ActionScore, as ``segment`` asks them."""

from __future__ import annotations

from pathlib import Path

from strad_eval.metrics.action_score import row_scores
from strad_eval.metrics.llm_ad_eval import figure_name, read_rating
from strad_eval.pair_values import CountedPairs, PairValues
from strad_eval.readings import Readings
from strad_eval.segments.gold_actions import read_actions
from strad_eval.segments.instruments import Actions, Instruments, Judged
from strad_eval.segments.row import Row
from strad_eval.segments.wanted import ACTIONS, LLM, Wanted, ask_judges, load_actions, try_to


def ask_pairs(
    counted: CountedPairs, readings: Readings, wanted: Wanted, actions: Path | None
) -> PairValues:
    """What was asked for and can be had. Raises what judges and readers raise."""
    told, found = PairValues(), Instruments()
    if ACTIONS in wanted.metrics and actions is not None:
        known, errors = read_actions(actions, [event.text for event in counted.references])
        told.doubts["label errors among the actions"] = errors
        of_pair = [known[pair.place] for pair in counted.pairs]
        found.actions = try_to(found, "ActionScore", lambda: load_actions(found, of_pair, wanted))
    if LLM in wanted.metrics:
        ask_judges(found, rows_of(counted), readings.scale, wanted)
    value_pairs(counted, readings, found, told)
    return told


def rows_of(counted: CountedPairs) -> list[Row]:
    """The pairs as rows. What has no words on either side is an empty one: no judge is asked."""
    return [
        Row(
            pair.video,
            pair.video,
            pair.reference,
            pair.prediction.text if pair.reference.text else "",
        )
        for pair in counted.pairs
    ]


def value_pairs(
    counted: CountedPairs, readings: Readings, found: Instruments, told: PairValues
) -> None:
    """Into ``told`` what the instruments come to, pair by pair."""
    for judged in found.judged:
        _rate(judged, readings, told)
    if found.actions is not None:
        _actions(counted, found.actions, told)
    told.absent += found.absent
    told.models |= found.models


def _rate(judged: Judged, readings: Readings, told: PairValues) -> None:
    values: list[float | None] = []
    for answer in judged.answers:
        rating = 0.0 if answer is None else read_rating(answer, judged.scale)
        if rating is None:
            told.doubts["LLM answers that could not be read"] += 1
        values.append(0.0 if rating is None and readings.unreadable == "zero" else rating)
    told.values[figure_name(judged.scale, judged.judge)] = values


def _actions(counted: CountedPairs, actions: Actions, told: PairValues) -> None:
    texts = [pair.prediction.text for pair in counted.pairs]
    rows = list(zip(actions.of_row, texts, strict=True))
    told.values["action_score"] = row_scores(rows, actions.embedder, actions.parser)
    told.doubts["pairs without known actions"] = sum(not known for known in actions.of_row)
