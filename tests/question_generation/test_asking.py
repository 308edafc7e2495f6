"""A model is asked until its answer can be used, told why it could not, and then let go."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from question_generation.answer_cache import AnswerCache
from question_generation.ask import Answered, Ask
from question_generation.asking import Asker
from question_generation.drop import Drop
from question_generation.options import answer_at, options_fault
from question_generation.prices import prices_of
from question_generation.prompt import Prompt
from question_generation.rate_limit import RateLimit
from question_generation.spending import Spent
from strad.errors import InputError
from strad.record import Record
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineBusyError,
    EngineDownError,
    EngineRefusedError,
    EngineTooLongError,
)
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.scripted_engine import Line, ScriptedEngine
from tests.question_generation.at_hand import ABLE, answer, desk, opened, said
from tests.virtual_time import run

pytestmark = pytest.mark.unit

GOOD = {"question": "Who opens the door?", "options": ["Ann", "Bob"], "answer": "B"}
TEXT = answer(**GOOD).text


class Written(Record):
    """A question."""

    question: str
    options: tuple[str, ...]
    answer: str


def fault(written: Written) -> str:
    """What the stages of both papers look for."""
    return options_fault(written.options, 2) or answer_at(written.answer, written.options)[1]


ASK = Ask(Prompt("test.v1", "Be brief.", "$scene", "0" * 64), {"scene": "A."}, Written, fault)


def asked(*lines: Line, ask: Ask[Written] = ASK) -> tuple[Answered[Written] | Drop, list[str]]:
    """What comes of it, and what the model was told."""

    async def go() -> tuple[Answered[Written] | Drop, list[str]]:
        engine = ScriptedEngine(lines)
        with AnswerCache() as cache:
            asker = Asker(replace(opened([]), engine=engine), cache)
            found = await asker.ask(ask, seed=7, stage="write 1", spent=Spent())
        return found, [said(messages) for messages in engine.asked]

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("", "empty"),
        (TEXT[: len(TEXT) // 2], "cut"),
        ("I would rather not.", "not JSON"),
        (answer(**{**GOOD, "options": ["Ann", "ann "]}), "two options are the same"),
        (answer(**{**GOOD, "answer": "A and B"}), "two right answers"),
        (answer(**{**GOOD, "answer": "Carl"}), "the answer is not among the options"),
        (answer(**{**GOOD, "question": "¿Quién abre la puerta en la escena?"}), "another language"),
        (answer(question="Who?"), "wrong shape"),
        (Generated('{"question": "Who?"', finish="length"), "cut"),
    ],
)
def test_what_cannot_be_used_is_asked_again_with_the_reason_and_dropped_with_it(
    bad: Line, reason: str
) -> None:
    found, told = asked(bad, answer(**GOOD))
    assert isinstance(found, Answered)
    assert (found.made.tries, found.made.seed, found.made.stage) == (2, 7, "write 1")
    assert f"That can't be used: {reason}" in told[1]
    assert told[1].startswith(told[0])
    dropped, told = asked(bad, bad, bad, answer(**GOOD))
    assert isinstance(dropped, Drop)
    assert dropped.reason == f"no usable answer: {reason}"
    assert len(told) == 3


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        (f"Here it is:\n```json\n{TEXT}\n```\nGood luck!", {"fence"}),
        (TEXT.replace("]", ",]"), {"trailing comma"}),
        (TEXT[:-1], {"end"}),
        (f"Sure. {TEXT} Done.", {"words around"}),
        (TEXT.replace('"answer"', '"Correct Answer"').replace('"options"', '"choices"'), {"keys"}),
        (f'{{"mcq": {TEXT}}}', {"wrapped"}),
        (f"[{TEXT}]", {"list"}),
        (TEXT.replace('["Ann", "Bob"]', '{"A": "Ann", "B": "Bob"}'), {"list"}),
        (TEXT.replace('"', "'"), {"Python"}),
    ],
)
def test_what_can_only_mean_one_thing_is_mended(text: str, mended: set[str]) -> None:
    found, _ = asked(text)
    assert isinstance(found, Answered)
    assert found.value.options == ("Ann", "Bob")
    assert set(found.made.repaired) == mended


def test_the_model_is_told_the_shape_and_a_fault_of_the_server_is_the_records() -> None:
    found, told = asked(answer(**GOOD))
    assert isinstance(found, Answered)
    assert '"required": ["question", "options", "answer"]' in told[0]
    with pytest.raises(EngineBusyError):
        asked(EngineBusyError("busy"))
    dropped, _ = asked(EngineTooLongError("9 tokens", 8))
    assert dropped == Drop("the prompt is too long for the model", "9 tokens")


def test_nothing_is_asked_twice_and_kept_answers_cost_what_they_cost(tmp_path: Path) -> None:
    price = prices_of(["scripted=10,30"]).price("scripted x")

    async def go() -> tuple[object, Spent, int]:
        engine, spent = ScriptedEngine([answer(**GOOD)]), Spent()
        with AnswerCache(tmp_path / "answers.sqlite") as cache:
            asker = Asker(replace(opened([]), engine=engine), cache, price=price)
            found = await asker.ask(ASK, seed=0, stage="s 1", spent=spent)
            again = await asker.ask(ASK, seed=0, stage="s 1", spent=spent)
        assert isinstance(found, Answered)
        assert isinstance(again, Answered)
        told = (found.value, found.made)
        assert told == (again.value, again.made)
        return told, spent, len(engine.asked)

    (first, spent, asked_first), (second, later, asked_second) = (
        asyncio.run(go()),
        asyncio.run(go()),
    )
    assert first == second
    assert (asked_first, asked_second) == (1, 0)
    assert (spent.fresh, later.fresh) == (1, 0)
    assert spent.told() == later.told()
    assert spent.told()["scripted"] == {
        "requests": 2,
        "prompt_tokens": 200,
        "completion_tokens": 2 * (len(TEXT) // 4),
        "cost": round(2 * (10 * 100 + 30 * (len(TEXT) // 4)) / 1e6, 9),
    }


class Plain:
    """Knows no schemas; answers when the other tasks have had their turn."""

    name = "plain"

    def __init__(self) -> None:
        self.shaped: list[bool] = []

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        self.shaped.append(sampling.schema is not None)
        await asyncio.sleep(0)
        if sampling.schema is not None:
            raise EngineRefusedError("no such member")
        return answer(**GOOD)


@pytest.mark.parametrize("first", [1, 8])
def test_a_server_that_refuses_schemas_is_asked_without_from_then_on(first: int) -> None:
    async def go() -> list[bool]:
        engine = Plain()
        with AnswerCache() as cache:
            unknown = replace(opened([]), engine=engine, abilities=replace(ABLE, schema=None))
            asker = Asker(unknown, cache)
            async with asyncio.TaskGroup() as group:
                for seed in range(0, 10 * first, 10):
                    group.create_task(asker.ask(ASK, seed=seed, stage="s 1", spent=Spent()))
            found = await asker.ask(ASK, seed=100, stage="s 1", spent=Spent())
            assert isinstance(found, Answered)
        return engine.shaped

    assert asyncio.run(go()) == [True] * first + [False] * (first + 1)


def test_the_same_asked_at_once_is_sent_once() -> None:
    async def go() -> tuple[int, int]:
        engine, spent = Plain(), Spent()
        with AnswerCache() as cache:
            able = replace(opened([]), engine=engine, abilities=replace(ABLE, schema=False))
            askers = [Asker(able, cache), Asker(able, cache)]
            async with asyncio.TaskGroup() as group:
                for asker in askers * 4:
                    group.create_task(asker.ask(ASK, seed=0, stage="s 1", spent=spent))
        return len(engine.shaped), spent.fresh

    assert asyncio.run(go()) == (1, 1)


class Failing(Plain):
    """Its first answer never comes."""

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        given = await super().generate(messages, sampling, deadline_s=deadline_s)
        if len(self.shaped) == 1:
            raise EngineDownError("gone")
        return given


def test_where_the_first_to_ask_gets_no_answer_one_of_those_who_wait_asks() -> None:
    async def go() -> tuple[int, list[bool]]:
        engine, told = Failing(), list[bool]()
        with AnswerCache() as cache:
            able = replace(opened([]), engine=engine, abilities=replace(ABLE, schema=False))
            asker = Asker(able, cache)

            async def one() -> None:
                try:
                    found = await asker.ask(ASK, seed=0, stage="s 1", spent=Spent())
                except EngineDownError:
                    told.append(False)
                else:
                    told.append(isinstance(found, Answered))

            async with asyncio.TaskGroup() as group:
                for _ in range(4):
                    group.create_task(one())
        return len(engine.shaped), told

    assert asyncio.run(go()) == (2, [False, True, True, True])


def test_what_is_no_answer_is_not_kept() -> None:
    async def go() -> int:
        engine = ScriptedEngine([EngineAnswerError("no JSON"), EngineAnswerError("no JSON")])
        once = replace(ASK, tries=1)
        with AnswerCache() as cache:
            asker = Asker(replace(opened([]), engine=engine), cache)
            for _ in range(2):
                found = await asker.ask(once, seed=0, stage="s 1", spent=Spent())
                assert found == Drop("no usable answer: empty")
        return len(engine.asked)

    assert asyncio.run(go()) == 2


def test_requests_and_tokens_a_minute_are_kept() -> None:
    async def go(limit: RateLimit) -> float:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        async with asyncio.TaskGroup() as group:
            for _ in range(31):
                group.create_task(limit.turn(100))
        return loop.time() - begun

    assert run(go(RateLimit(requests=60))) == pytest.approx(30, abs=0.1)
    assert run(go(RateLimit(tokens=600))) == pytest.approx(300, abs=0.1)
    assert run(go(RateLimit())) == 0


def test_a_desk_knows_its_models_and_draws_the_same_again() -> None:
    with desk([answer(**GOOD)], "student") as one, desk([], record="r2") as other:
        assert one.model("student") == "student"
        assert one.random("a").random() == one.random("a").random() != other.random("a").random()
        with pytest.raises(InputError, match="no model for the role 'judge'"):
            one.model("judge")


@pytest.mark.parametrize("said", ["m", "m=1", "=1,2", "m=1,x", "m=-1,2", "m=nan,1"])
def test_a_price_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(InputError, match="--price"):
        prices_of([said])
