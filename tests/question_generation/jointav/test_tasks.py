"""Fifteen tasks as data: complete, and what is told of each is what the judge knows."""

from __future__ import annotations

from importlib import resources

import pytest

from question_generation.jointav.form import fault
from question_generation.jointav.tasks import read_tasks, tasks
from strad.errors import FormatError
from strad_eval.mcq.tasks import TASKS

pytestmark = pytest.mark.unit
TEXT = resources.files("question_generation.jointav").joinpath("tasks.toml").read_text("utf-8")


def test_all_fifteen_are_there_in_order() -> None:
    assert list(tasks()) == list(TASKS)
    assert {task.span: task.count for task in tasks().values()} == {
        "single": 1,
        "multi": 4,
        "full": 4,
    }


def test_checks_are_those_of_the_paper() -> None:
    def having(check: str) -> set[str]:
        return {code for code, task in tasks().items() if check in task.checks}

    assert having("sequence") == {"VSSR", "MPO"}
    assert having("correctable") == having("order-of-segments") == {"MPO"}
    assert having("audio") == {"SPL", "SPER", "SOOG", "SOER", "MPTI"}
    assert having("ambiguity") == {"SPL", "SOOG", "SOER"}
    assert having("interval") == {"CSA", "PDP"}


def test_a_voice_is_told_with_its_line() -> None:
    assert tasks()["SPL"].heard == ("dialogue", "vocal traits")
    assert tasks()["SPL"].needs == ("vocal traits",)


@pytest.mark.parametrize("code", TASKS)
def test_examples_have_the_form_that_is_asked_for(code: str) -> None:
    task = tasks()[code]
    answer = {"PTG": "Segment 2"}.get(code, "(b)(a)(c)" if task.is_order else "something unlike")
    assert fault(task, task.example, answer, "Seen and heard.") == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TEXT.replace("[STL]", "[XYZ]"), "XYZ"),
        (TEXT.replace('checks = ["sequence"]', 'checks = ["taste"]'), "VSSR"),
        (TEXT.replace("count = 4", "count = 0"), "CSA"),
        ("[STL", "not TOML"),
    ],
)
def test_what_is_missing_is_named(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_tasks(text)
