"""The scripted engine."""

from __future__ import annotations

import asyncio

import pytest

from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineBusyError, EngineError, EngineSlowError
from strad_engines.messages import Generated, Message, Sampling, Text
from strad_engines.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.unit

GREEDY = Sampling(max_tokens=8)


async def _ask(engine: ChatEngine, text: str = "?", deadline_s: float = 1.0) -> Generated:
    return await engine.generate([Message.of("user", text)], GREEDY, deadline_s=deadline_s)


def test_lines_come_in_order_then_the_script_is_over() -> None:
    async def run() -> None:
        engine = ScriptedEngine(["A", Generated("B", finish="length"), EngineBusyError("full")])
        assert (await _ask(engine)).text == "A"
        assert (await _ask(engine)).finish == "length"
        with pytest.raises(EngineBusyError):
            await _ask(engine)
        with pytest.raises(EngineError, match="over"):
            await _ask(engine)
        assert len(engine.asked) == 4

    asyncio.run(run())


def test_a_script_may_be_a_function_of_what_is_asked() -> None:
    def echo(messages: object) -> str:
        assert isinstance(messages, list)
        (part,) = messages[-1].parts
        assert isinstance(part, Text)
        return part.text.upper()

    assert asyncio.run(_ask(ScriptedEngine(echo), "hi")).text == "HI"


def test_it_keeps_to_the_deadline() -> None:
    with pytest.raises(EngineSlowError):
        asyncio.run(_ask(ScriptedEngine(["A"], takes_s=5), deadline_s=0.01))
