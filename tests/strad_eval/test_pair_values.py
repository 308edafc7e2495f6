"""LLM-AD-Eval and ActionScore of a stream, with a scripted engine and injected embeddings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from strad_engines.messages import Message
from strad_engines.scripted_engine import ScriptedEngine
from strad_eval.judges.answer_book import AnswerBook
from strad_eval.judges.engine_judge import EngineJudge
from strad_eval.pair_values import CountedPairs, PairValues, counted_pairs, pair_table
from strad_eval.readings import STRAD, Readings, readings
from strad_eval.segments.instruments import Actions, Instruments
from strad_eval.segments.judging import judge_rows
from strad_eval.segments.of_stream import rows_of, value_pairs
from strad_eval.timed import Paired, pair_up
from strad_eval.unit import Unit
from tests.strad_eval.metrics.test_action_score import LastWord, Words
from tests.strad_eval.toy import event, toy_units

pytestmark = pytest.mark.eval

FOUR = "{'score': 4}"


def _counted(units: Sequence[Unit], chosen: Readings) -> tuple[list[Paired], CountedPairs]:
    paired = pair_up(units, chosen)
    return paired, counted_pairs(paired, chosen)


def _judged(
    units: Sequence[Unit], chosen: Readings, engine: ScriptedEngine, book: Path
) -> tuple[list[list[float]], PairValues]:
    paired, counted = _counted(units, chosen)
    with AnswerBook(book) as answers:
        judge = EngineJudge(engine)
        judged = asyncio.run(judge_rows(rows_of(counted), "0-5", judge, answers))
    told = PairValues()
    value_pairs(counted, chosen, Instruments(judged=[judged]), told)
    table = pair_table(paired, chosen, told.values["llm_ad_eval:0-5:scripted"])
    return table.tolist(), told


def test_a_judge_is_asked_of_densevids_pairs_and_the_rest_scores_nothing(tmp_path: Path) -> None:
    engine = ScriptedEngine(lambda _: FOUR)
    table, _ = _judged(toy_units(), STRAD, engine, tmp_path / "book")
    # v1: pairs of IoU 0.667, 0.5 (a hair below) and 0.333, and "He smiles." at 40 s beside nothing.
    # 0.1 and 0.3: (4 + 4 + 4 + 0) / 4; 0.5: (4 + 0 + 0 + 0) / 4. v2: its one prediction.
    np.testing.assert_allclose(table, [[3, 3, 1], [4, 4, 4]])
    assert len(engine.asked) == 4


def test_an_answer_without_a_rating_is_counted_and_read_as_named(tmp_path: Path) -> None:
    def say(asked: Sequence[Message]) -> str:
        return "hm" if "window" in str(asked) else FOUR

    engine = ScriptedEngine(say)
    table, told = _judged(toy_units(), STRAD, engine, tmp_path / "a")
    np.testing.assert_allclose(table[0], [2, 2, 1])
    assert told.doubts["LLM answers that could not be read"] == 1
    drop = readings("strad", ("unreadable=drop",))
    table, _ = _judged(toy_units(), drop, engine, tmp_path / "b")
    # (4 + 4 + 0) / 3; at 0.5 "A woman opens a window." is a prediction beside nothing.
    np.testing.assert_allclose(table[0], [8 / 3, 8 / 3, 1])


def test_nothing_said_scores_nothing_and_nothing_to_say_has_no_value(tmp_path: Path) -> None:
    said = (event(1.0, 2.0, "A man walks."),)
    wordless = (event(1.0, 2.0, ""),)
    span = (0.0, 9.0)
    units = [
        Unit("silent", 0, span, said, ()),
        Unit("wordless", 0, span, said, wordless),
        Unit("reference without words", 0, span, wordless, said),
        Unit("nothing to describe", 0, span, (), said),
        Unit("nothing", 0, span, (), ()),
    ]
    engine = ScriptedEngine([])
    table, _ = _judged(units, STRAD, engine, tmp_path / "book")
    np.testing.assert_allclose(table, [[0] * 3] * 4 + [[float("nan")] * 3])


def test_actions_go_to_the_pairs_of_their_reference() -> None:
    span = (0.0, 60.0)
    references = (
        event(0.0, 4.0, "He runs."),
        event(10.0, 14.0, "She sits."),
        event(20, 24, "Who?"),
    )
    predictions = (
        event(0.0, 4.0, "she runs."),  # the same action: 1 -> 1.5
        event(10.0, 14.0, "he runs."),  # nothing in common: 0 -> -0.5
        event(20.0, 24.0, "it runs."),  # no action is known: left out
        event(40.0, 44.0, "he sits."),  # beside nothing: 0
    )
    paired, counted = _counted([Unit("v", 0, span, references, predictions)], STRAD)
    known: list[Sequence[str]] = [["he runs"], ["she sits"], []]
    of_pair = [known[pair.place] for pair in counted.pairs]
    told = PairValues()
    found = Instruments(actions=Actions(of_pair, Words(), LastWord()))
    value_pairs(counted, STRAD, found, told)
    table = pair_table(paired, STRAD, told.values["action_score"])
    np.testing.assert_allclose(table, [[(1.5 - 0.5 + 0.0) / 3] * 3])
    assert told.doubts["pairs without known actions"] == 1


def test_places_of_references_run_through_all_units() -> None:
    _, counted = _counted(toy_units(), STRAD)
    assert [pair.place for pair in counted.pairs] == [0, 1, 2, 3]
    for pair in counted.pairs:
        assert counted.references[pair.place] is pair.reference
