"""What passes between a describer and its engine is told with the window it was about."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from strad.decision import Describe
from strad.errors import DescriberError
from strad.timeline import Interval
from strad_engines.engine_errors import EngineDownError
from strad_engines.messages import Generated, Token
from strad_engines.scripted_engine import ScriptedEngine
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.describers.strad_ft.known_window import known_window
from streaming.prompt.profiles import PROFILES
from streaming.recording.exchange import OverheardEngine, RecordedDescriber
from streaming.recording.lines import Line, digest

pytestmark = pytest.mark.unit

PROFILE = PROFILES["qwen35-images"]
SAYS = Generated(
    "AD <1.0> A square moves. <3.0>",
    tokens=(Token("AD", -0.1, (("AD", -0.1), ("WAIT", -2.4))),),
    prompt_tokens=900,
)


def decided(engine: ScriptedEngine, *, texts: bool, windows: int = 1) -> list[Line]:
    told: list[Line] = []
    model = StradFtDescriber(OverheardEngine(engine), PROFILE, model="m")
    describer = RecordedDescriber(model, told.append, texts=texts)

    async def one(seed: int, shift: int) -> None:
        window = known_window(seed)
        end = window.when.end + shift
        await describer.decide(replace(window, when=Interval(window.when.start, end)))

    async def go() -> None:
        async with asyncio.TaskGroup() as tasks:
            for n in range(windows):
                tasks.create_task(one(n, n))

    asyncio.run(go())
    return told


def test_prompt_pictures_answer_and_odds_are_told() -> None:
    (told,) = decided(ScriptedEngine([SAYS]), texts=True)
    window = known_window(0)
    assert told["exchange"] == window.when.end
    (request,) = told["requests"]
    assert request["answer"] == "AD <1.0> A square moves. <3.0>"
    assert request["first"][:2] == [["AD", -0.1], ["AD", -0.1]]
    parts = [part for message in request["messages"] for part in message["parts"]]
    assert [p["image"] for p in parts if "image" in p] == [digest(f.jpeg) for f in window.frames]
    assert any("Anna" in part.get("text", "") for part in parts)


def test_without_texts_there_are_hashes_in_their_place() -> None:
    (told,) = decided(ScriptedEngine([SAYS]), texts=False)
    assert "Anna" not in str(told)
    assert "square" not in str(told)
    assert told["requests"][0]["answer_sha256"] == digest(SAYS.text.encode())


def test_windows_in_flight_together_are_told_apart() -> None:
    told = decided(ScriptedEngine(lambda _: SAYS, takes_s=0.01), texts=True, windows=3)
    assert sorted(each["exchange"] for each in told) == [60_000, 60_001, 60_002]
    assert [len(each["requests"]) for each in told] == [1, 1, 1]


def test_a_failure_passes_and_nothing_is_told_of_what_was_not_answered() -> None:
    told: list[Line] = []
    engine = OverheardEngine(ScriptedEngine([EngineDownError("gone")]))
    model = StradFtDescriber(engine, PROFILE, model="m")
    describer = RecordedDescriber(model, told.append, texts=True)
    assert (describer.name, describer.draft) == (model.name, model.draft)
    with pytest.raises(DescriberError, match="gone"):
        asyncio.run(describer.decide(known_window(0)))
    assert told == []


def test_an_engine_nobody_listens_to_passes_things_on() -> None:
    model = StradFtDescriber(OverheardEngine(ScriptedEngine([SAYS])), PROFILE, model="m")
    assert isinstance(asyncio.run(model.decide(known_window(0))), Describe)
