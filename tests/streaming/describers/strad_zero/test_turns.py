"""Windows in flight together: captions at the same time, decisions in order, knowing each other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from strad.decision import Decision, Describe, Wait, WaitReason
from strad.errors import DescriberError
from strad_engines.engine_errors import EngineError
from strad_engines.messages import Generated, Message, Sampling, Text
from streaming.describers.strad_zero.asking import ZeroAsking
from streaming.describers.strad_zero.describer import StradZeroDescriber
from streaming.window import Window
from tests.streaming.prompt.windows import window
from tests.virtual_time import run

pytestmark = pytest.mark.unit

DOOR = {
    "kind": "action",
    "short": "A door opens.",
    "medium": "A door opens.",
    "long": "A door opens.",
}
SECONDS = {"caption": 1.0, "decide": 1.0, "describe": 3.0, "watch": 2.0}


@dataclass
class ByTask:
    """Answers by the task, in so many seconds; remembers when each began, and its text."""

    caption: Callable[[int], str | EngineError] = lambda _: "A door opens."
    name: str = "by task"
    asked: list[tuple[str, float, str]] = field(default_factory=list)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        told, *parts = (p.text for m in messages for p in m.parts if isinstance(p, Text))
        task, text = told.split()[1], "\n".join(parts)
        number = sum(before == task for before, *_ in self.asked)
        self.asked.append((task, asyncio.get_running_loop().time(), text))
        await asyncio.sleep(SECONDS[task])
        if task == "caption":
            said = self.caption(number)
            if isinstance(said, EngineError):
                raise said
            return Generated(said)
        watched = json.dumps({"seen": "A door opens.", "decision": "AD", **DOOR})
        known = 'described "A door opens."' in text
        answers = {"decide": "WAIT" if known else "AD", "describe": json.dumps(DOOR)}
        return Generated({**answers, "watch": watched}[task])

    def begun(self, task: str) -> list[float]:
        return [at for name, at, _ in self.asked if name == task]


def together(engine: ByTask, *ends: int, one_call: bool = False) -> list[Decision | DescriberError]:
    """What is decided about windows that are asked about half a second after each other."""
    describer = StradZeroDescriber(engine, model="m", asking=ZeroAsking(one_call=one_call))

    async def later(about: Window, seconds: float) -> Decision | DescriberError:
        await asyncio.sleep(seconds)
        try:
            return await describer.decide(about)
        except DescriberError as error:
            return error

    async def all_of_them() -> list[Decision | DescriberError]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(later(window(end), 0.5 * n)) for n, end in enumerate(ends)]
        return [task.result() for task in tasks]

    return run(all_of_them())


def test_the_next_caption_does_not_wait_for_a_decision_but_its_own_decision_does() -> None:
    engine = ByTask()
    first, second = together(engine, 10_000, 12_000)
    assert isinstance(first, Describe)
    assert second == Wait(WaitReason.MODEL_WAITS)
    assert engine.begun("caption") == [0.0, 0.5]
    assert engine.begun("decide") == [1.0, 5.0]
    assert isinstance(second, Wait)
    assert dict(second.stages)["turn"] == pytest.approx(3.5)


def test_what_was_described_meanwhile_is_not_said_again_by_one_call_either() -> None:
    first, second = together(ByTask(), 10_000, 12_000, one_call=True)
    assert isinstance(first, Describe)
    assert second == Wait(WaitReason.REPEATED)


def test_a_window_that_fails_lets_those_behind_it_go_on() -> None:
    def fails_at_first(number: int) -> str | EngineError:
        return EngineError("broken") if number == 0 else "A door opens."

    first, second, third = together(ByTask(fails_at_first), 10_000, 12_000, 14_000)
    assert isinstance(first, DescriberError)
    assert isinstance(second, Describe)
    assert third == Wait(WaitReason.MODEL_WAITS)


def test_a_window_that_nobody_waits_for_any_more_holds_up_nobody() -> None:
    engine = ByTask()
    describer = StradZeroDescriber(engine, model="m")

    async def given_up() -> Decision:
        async with asyncio.TaskGroup() as group:
            first = group.create_task(describer.decide(window(10_000)))
            second = group.create_task(describer.decide(window(12_000)))
            await asyncio.sleep(2.5)
            first.cancel()
        return second.result()

    assert isinstance(run(given_up()), Describe)
    assert engine.begun("decide") == [1.0, 2.5]


def test_one_window_after_another_waits_for_nothing() -> None:
    engine = ByTask()
    describer = StradZeroDescriber(engine, model="m")

    async def in_order() -> list[Decision]:
        return [await describer.decide(window(end)) for end in (10_000, 12_000)]

    first, second = run(in_order())
    assert isinstance(first, Describe)
    assert isinstance(second, Describe)  # its history is the session's to tell
    assert dict(second.stages)["turn"] == 0
