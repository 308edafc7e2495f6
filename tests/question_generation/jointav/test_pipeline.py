"""All fifteen tasks from films to items, with a writer that knows only the text it is given."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from question_generation.jointav.columns import COLUMNS, row
from question_generation.jointav.dependence import Dependence
from question_generation.jointav.pipeline import MEDIA_ROLES, ROLES, pipeline
from strad.errors import InputError
from strad_eval.mcq.questions import read_questions
from strad_eval.mcq.readings import McqReadings
from strad_eval.mcq.tasks import TASKS
from tests.question_generation.jointav.broken import BreakingEngine
from tests.question_generation.jointav.film import film
from tests.question_generation.jointav.ran import Ran, adds_up, ran
from tests.question_generation.jointav.writer import FilmEngine

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return ran(tmp_path_factory.mktemp("whole"), FilmEngine(leaks=25), film("film"))


def test_each_task_has_an_item_that_is_whole(whole: Ran) -> None:
    assert {item.task for item in whole.items} == set(TASKS)
    assert not list(adds_up(whole.counts)), whole.counts
    for item in whole.items:
        assert item.segment is not None
        assert len(item.options) == 4
        assert item.question_of().answer_index is not None
        assert set(item.rates) == {"text-only", "vision-only", "audio-only", "both"}
        steps = {made.stage for made in item.provenance}
        assert {"questions 1", "modality-check 1", "dependence 1"} <= steps


def test_items_keep_the_measure_that_let_them_pass(whole: Ran) -> None:
    for item in whole.items:
        for alone in ("text-only", "vision-only", "audio-only"):
            rate = item.rates[alone]
            assert rate.asked % 4 == 0
            assert rate.p is not None
            assert rate.p > 0.01 / 3
        together = item.rates["both"]
        assert (together.p is not None and together.p <= 0.01 / 3) == ("unsolved" not in item.flags)
    solved = Counter("unsolved" not in item.flags for item in whole.items)
    assert solved[True] > solved[False]
    assert {item.task for item in whole.items if "unsolved" in item.flags} <= {"PDP", "MPO"}


def test_what_gives_itself_away_is_refined(whole: Ran) -> None:
    refined = [item for item in whole.items if "refined" in item.flags]
    assert refined
    assert all(", where it is" not in item.question for item in whole.items)


def test_post_steps_are_seen_in_the_items(whole: Ran) -> None:
    by_task = {item.task: item for item in whole.items}
    assert "the remaining parts" in by_task["CSA"].question
    assert by_task["PDP"].question.endswith("after this video ends?")
    assert by_task["PTG"].answer == "from 24 s to 36 s"
    assert any("order corrected" in item.flags for item in whole.items if item.task == "MPO")
    assert not any("Segment " in option for item in whole.items for option in item.options)


def test_rows_have_jointavbenchs_own_columns(whole: Ran) -> None:
    for item in whole.items:
        found = row(item)
        assert tuple(found) == tuple(COLUMNS)
        assert found["correct_answer"] in found["options"]
        assert f"_task{TASKS[found['task']].number}_" in found["qid"]


def test_broken_answers_break_no_step(tmp_path: Path) -> None:
    engine = BreakingEngine(FilmEngine(), 10)
    found = ran(
        tmp_path, engine, film("film"), pipeline(dependence=Dependence(rounds=2, together=False))
    )
    assert not list(adds_up(found.counts)), found.counts
    assert engine.broken > 50
    assert len({item.task for item in found.items}) >= 12


def test_the_pipeline_says_what_it_asks_and_refuses_what_it_has_not() -> None:
    assert set(pipeline().roles) == set(ROLES)
    assert set(pipeline(clips=Path("x")).roles) == {*ROLES, *MEDIA_ROLES}
    assert "listener" not in pipeline(clips=Path("x"), by_rule=True).roles
    for before, after in pairwise(pipeline(clips=Path("x")).steps):
        assert before.writes is after.reads
    with pytest.raises(InputError, match="no such task: XYZ"):
        pipeline(tasks=["STL", "XYZ"])
    with pytest.raises(InputError, match="folder of clips"):
        pipeline(filmed=True)


def test_the_judge_reads_what_is_written(whole: Ran, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "jointavbench.json", tmp_path / "items.jsonl"
    theirs.write_text(json.dumps([row(item) for item in whole.items]))
    ours.write_text("".join(f"{item.question_of().line()}\n" for item in whole.items))
    for path in (theirs, ours):
        read = read_questions(path, "jointav", McqReadings())
        assert [one.answer for one in read] == [item.answer_index for item in whole.items]
        assert {group for one in read for group in one.groups["task"]} == set(TASKS)


def test_every_step_can_be_sent_to_another_process() -> None:
    for step in pipeline(clips=Path("x"), filmed=True).steps:
        assert pickle.loads(pickle.dumps(step)) == step
