"""Asking: what is said to the model, that answers are kept, and that failures end in time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from strad.errors import StradError
from strad_engines.engine_errors import EngineAnswerError, EngineBusyError
from strad_engines.messages import Generated, Image, Message, Text
from strad_engines.scripted_engine import ScriptedEngine
from strad_eval.asking.asked import put
from strad_eval.asking.material import Media, Sources
from strad_eval.asking.run import Outcome, Plan, ask_all
from strad_eval.asking.shown import Shown
from strad_eval.judges.answer_book import AnswerBook
from strad_eval.mcq.item import LETTERS, Item
from strad_eval.prompts.prompt import prompt

pytestmark = pytest.mark.eval

PROMPT = prompt("mcq_jointav_v1")
BLIND = Shown("options", False)
OPTIONS = ("On the table", "Under the bed", "Outside", "In a car")


def _items(count: int) -> list[Item]:
    return [Item(f"q{i}", "v", f"Where is thing {i}?", OPTIONS, i % 4) for i in range(count)]


def _plan(**more: object) -> Plan:
    return Plan(PROMPT, BLIND, Sources(), **more)  # type: ignore[arg-type]


def _knowing(messages: Sequence[Message]) -> Generated:
    """A model that says the letter before "Outside"."""
    (part,) = messages[-1].parts
    assert isinstance(part, Text)
    letter = part.text.split(") Outside")[0][-1]
    return Generated(letter, prompt_tokens=50, completion_tokens=1)


def _run(
    items: list[Item], plan: Plan, engine: ScriptedEngine, path: Path
) -> tuple[Outcome, list[Generated | None]]:
    told: list[Generated | None] = []

    async def run() -> Outcome:
        with AnswerBook(path) as book:
            return await ask_all(items, plan, engine, book, told.append)

    return asyncio.run(run()), told


def test_shuffles_are_seeded_and_remembered(tmp_path: Path) -> None:
    items = _items(30)
    outcome, told = _run(items, _plan(shuffle=True), ScriptedEngine(_knowing), tmp_path / "b")
    orders = {reply.order for reply in outcome.replies}
    assert len(orders) > 5
    for reply in outcome.replies:
        assert reply.order is not None
        assert reply.order[LETTERS.index(reply.output)] == 2
    assert (len(told), outcome.replies[0].prompt_tokens) == (30, 50)
    again, _ = _run(items, _plan(shuffle=True), ScriptedEngine(_knowing), tmp_path / "c")
    assert again.replies == outcome.replies
    other, _ = _run(items, _plan(shuffle=True, seed=1), ScriptedEngine(_knowing), tmp_path / "d")
    assert [r.order for r in other.replies] != [r.order for r in outcome.replies]


def test_a_second_run_asks_nothing_again_but_another_seed_prompt_or_model_does(
    tmp_path: Path,
) -> None:
    path, items = tmp_path / "book", _items(3)
    _run(items, _plan(), ScriptedEngine(_knowing), path)
    again = ScriptedEngine(_knowing)
    outcome, told = _run(items, _plan(), again, path)
    assert (again.asked, outcome.from_book, told) == ([], 3, [None] * 3)
    others = (
        (_plan(seed=7), "scripted"),
        (_plan(), "another"),
        (Plan(prompt("mcq_cinepile_v1"), BLIND, Sources()), "scripted"),
    )
    for plan, name in others:
        engine = ScriptedEngine(_knowing, name=name)
        _run(items, plan, engine, path)
        assert len(engine.asked) == 3


def test_a_question_that_fails_is_named_and_asked_next_time(tmp_path: Path) -> None:
    path, items = tmp_path / "book", _items(3)
    script = [Generated("A"), EngineAnswerError("not a chat completion"), Generated("B")]
    outcome, _ = _run(items, _plan(at_once=1), ScriptedEngine(script), path)
    assert [reply.id for reply in outcome.replies] == ["q0", "q2"]
    assert outcome.failed == ["q1: not a chat completion"]
    after = ScriptedEngine(["C"])
    outcome, _ = _run(items, _plan(), after, path)
    assert [reply.output for reply in outcome.replies] == ["A", "C", "B"]


def test_five_failures_in_a_row_end_the_run(tmp_path: Path) -> None:
    engine = ScriptedEngine(lambda _: EngineBusyError("gone"))
    with pytest.raises(StradError, match="gone"):
        _run(_items(50), _plan(at_once=1), engine, tmp_path / "book")
    assert len(engine.asked) == 5


def test_pictures_stand_before_the_question() -> None:
    one = Shown("omni", True, 2)
    asked = put(_items(1)[0], PROMPT, one, "Hello $there.", seed=0, shuffle=False)
    system, user = asked.messages(Media((Image(b"1"), Image(b"2"))))
    assert system.role == "system"
    assert [type(part) for part in user.parts] == [Image, Image, Text]
    text = user.parts[-1]
    assert isinstance(text, Text)
    for said in ("frames of the video", "Hello $there.", "A) On the table\nB) Under the bed"):
        assert said in text.text


def test_an_answers_key_hangs_on_everything_that_may_change_it() -> None:
    item = _items(1)[0]
    plain = put(item, PROMPT, BLIND, "", seed=0, shuffle=False)
    spoken = put(item, PROMPT, Shown("vision", True, 8), "Hi.", seed=0, shuffle=False)
    keys = {
        plain.key("m", PROMPT, BLIND, 0, ""),
        plain.key("n", PROMPT, BLIND, 0, ""),
        plain.key("m", PROMPT, BLIND, 1, ""),
        plain.key("m", PROMPT, BLIND, 0, "frames x"),
        plain.key("m", PROMPT, Shown("vision", False, 8), 0, ""),
        plain.key("m", PROMPT, Shown("vision", False, 9), 0, ""),
        spoken.key("m", PROMPT, Shown("vision", True, 8), 0, ""),
    }
    assert len(keys) == 7
