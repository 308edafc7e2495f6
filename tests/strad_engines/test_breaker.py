"""The breaker's life on the virtual clock: one probe at a time, and only its answer closes it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_engines.breaker import Breaker, BreakerRule, Health
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineBusyError,
    EngineDownError,
    EngineError,
    EngineRefusedError,
    EngineSlowError,
)
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.scripted_engine import Line, ScriptedEngine
from tests import virtual_time

pytestmark = pytest.mark.unit

ASK = (Message.of("user", "?"),)
RULE = BreakerRule(failures=2, first_pause_s=1.0, longest_pause_s=4.0)
BUSY, SLOW = EngineBusyError("full"), EngineSlowError("late")
REFUSED, GARBAGE = EngineRefusedError("no such model"), EngineAnswerError("what?")


async def _ask(breaker: Breaker) -> str:
    """What came: the text, or the error's code."""
    try:
        return (await breaker.generate(ASK, Sampling(4), deadline_s=60.0)).text
    except EngineError as error:
        return error.code


@dataclass
class Story:
    """A breaker around a script, and what was told of it."""

    script: Sequence[Line]
    takes_s: float = 0.0
    told: list[Health] = field(default_factory=list)

    def play(self, plot: Callable[[Breaker], Awaitable[None]]) -> None:
        async def run() -> None:
            engine = ScriptedEngine(self.script, name="tiny", takes_s=self.takes_s)
            await plot(Breaker(engine, RULE, self.told.append))

        virtual_time.run(run())

    def states(self) -> list[str]:
        return [health.state for health in self.told]


def test_its_life() -> None:
    async def plot(breaker: Breaker) -> None:
        assert [await _ask(breaker) for _ in range(3)] == ["a", "engine-busy", "engine-slow"]
        assert (breaker.health.state, breaker.health.why) == ("down", "late")
        assert await _ask(breaker) == "engine-down"
        await asyncio.sleep(1.0)
        assert await _ask(breaker) == "engine-busy", "the probe, which fails"
        await asyncio.sleep(1.0)
        assert await _ask(breaker) == "engine-down", "the pause is two seconds now"
        await asyncio.sleep(1.0)
        assert await _ask(breaker) == "b"
        assert breaker.health == Health("up", 3.0)
        assert await _ask(breaker) == "c"

    story = Story(["a", BUSY, SLOW, BUSY, "b", "c"])
    story.play(plot)
    assert story.states() == ["down", "probing", "down", "probing", "up"]
    assert [health.since_s for health in story.told] == [0.0, 1.0, 1.0, 3.0, 3.0]


def test_the_pause_grows_to_a_bound_and_starts_anew_once_it_was_up() -> None:
    async def plot(breaker: Breaker) -> None:
        loop = asyncio.get_running_loop()

        async def pause() -> float:
            """Seconds until it asks the engine again."""
            begun = loop.time()
            for _ in range(99):
                if await _ask(breaker) != "engine-down":
                    break
                await asyncio.sleep(0.25)
            return loop.time() - begun

        assert [await _ask(breaker) for _ in range(2)] == ["engine-busy"] * 2
        assert [await pause() for _ in range(5)] == [1.0, 2.0, 4.0, 4.0, 4.0]
        assert breaker.health.state == "up"
        assert [await _ask(breaker) for _ in range(2)] == ["engine-busy"] * 2
        assert await pause() == 1.0

    Story([BUSY] * 6 + ["up"] + [BUSY] * 2 + ["up"]).play(plot)


def test_only_failures_in_a_row_that_may_pass_open_it() -> None:
    async def plot(breaker: Breaker) -> None:
        for _ in range(8):
            await _ask(breaker)
        assert breaker.health == Health("up")

    Story([BUSY, "a", SLOW, REFUSED, BUSY, GARBAGE, "b", GARBAGE]).play(plot)


def test_a_refusal_shows_that_it_lives_and_garbage_does_not() -> None:
    async def plot(breaker: Breaker) -> None:
        await _ask(breaker)
        await _ask(breaker)
        await asyncio.sleep(1.0)
        assert await _ask(breaker) == "engine-answer"
        assert breaker.health.state == "down"
        await asyncio.sleep(2.0)
        assert await _ask(breaker) == "engine-refused"
        assert breaker.health.state == "up"

    Story([BUSY, BUSY, GARBAGE, REFUSED]).play(plot)


def test_what_comes_while_it_is_probed_is_not_sent() -> None:
    async def plot(breaker: Breaker) -> None:
        await _ask(breaker)
        await _ask(breaker)
        await asyncio.sleep(1.0)
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(_ask(breaker)) for _ in range(3)]
        assert [task.result() for task in asked] == ["a", "engine-down", "engine-down"]

    Story([BUSY, BUSY, "a"], takes_s=0.5).play(plot)


def test_a_cancelled_probe_leaves_room_for_the_next() -> None:
    async def plot(breaker: Breaker) -> None:
        await _ask(breaker)
        await _ask(breaker)
        await asyncio.sleep(1.0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await breaker.generate(ASK, Sampling(4), deadline_s=9.0)
        assert breaker.health.state == "down"
        assert await _ask(breaker) == "a"
        assert breaker.health.state == "up"

    Story([BUSY, BUSY, "a"], takes_s=0.5).play(plot)


@dataclass
class Timed:
    """An engine that answers each request as its name says: after so long, that."""

    answers: dict[str, tuple[float, Line]]
    name: str = "timed"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        takes, line = self.answers[sampling.stop[0]]
        await asyncio.sleep(takes)
        if isinstance(line, EngineError):
            raise line
        return Generated(str(line))


def test_what_was_sent_before_it_opened_decides_nothing_later() -> None:
    answers: dict[str, tuple[float, Line]] = {
        "slow and right": (3.0, "a"),
        "fails": (0.5, BUSY),
        "probe": (9.0, BUSY),
    }

    async def run() -> None:
        breaker = Breaker(Timed(answers), RULE)

        async def ask(which: str) -> str:
            try:
                sampling = Sampling(4, stop=(which,))
                return (await breaker.generate(ASK, sampling, deadline_s=60.0)).text
            except EngineError as error:
                return error.code

        async with asyncio.TaskGroup() as group:
            early = group.create_task(ask("slow and right"))
            for _ in range(2):
                group.create_task(ask("fails"))
            await asyncio.sleep(2.0)
            probe = group.create_task(ask("probe"))
            assert await early == "a"
            assert breaker.health.state == "probing"
            assert await probe == "engine-busy"
            assert breaker.health.state == "down"

    virtual_time.run(run())


@dataclass
class Watched:
    """An engine that answers as it is told and counts what is in flight while it is not up."""

    outcomes: list[Line]
    health: Callable[[], Health] = lambda: Health("up")
    probes: int = 0
    most_probes: int = 0
    probe_ended: list[bool] = field(default_factory=list)
    name: str = "watched"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        outcome = self.outcomes.pop() if self.outcomes else "a"
        state = self.health().state
        assert state != "down", "asked although it is down"
        probe = state == "probing"
        self.probes += probe
        self.most_probes = max(self.most_probes, self.probes)
        try:
            await asyncio.sleep(sampling.temperature)
        finally:
            self.probes -= probe
        if probe:
            self.probe_ended.append(not isinstance(outcome, EngineError) or outcome is REFUSED)
        if isinstance(outcome, EngineError):
            raise outcome
        return Generated(str(outcome))


@given(
    st.lists(st.sampled_from([BUSY, SLOW, REFUSED, GARBAGE, "a"]), max_size=40),
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.3, 1.0, 3.0]),  # before it
            st.sampled_from([0.0, 0.5, 2.5]),  # the engine takes
            st.sampled_from([9.0, 0.4]),  # it is cancelled after
        ),
        max_size=40,
    ),
)
def test_any_course_of_things(
    outcomes: list[Line], calls: list[tuple[float, float, float]]
) -> None:
    told: list[Health] = []
    refused_while: list[str] = []

    async def call(breaker: Breaker, takes: float, patience: float) -> None:
        try:
            async with asyncio.timeout(patience):
                await breaker.generate(ASK, Sampling(4, temperature=takes), deadline_s=60.0)
        except (TimeoutError, EngineError) as error:
            if isinstance(error, EngineDownError):
                refused_while.append(breaker.health.state)

    async def run() -> list[bool]:
        engine = Watched(list(outcomes))
        breaker = Breaker(engine, RULE, told.append)
        engine.health = lambda: breaker.health
        async with asyncio.TaskGroup() as group:
            for before, takes, patience in calls:
                await asyncio.sleep(before)
                group.create_task(call(breaker, takes, patience))
        assert engine.most_probes <= 1
        assert breaker.health.state != "probing", "a probe that ended leaves it up or down"
        return engine.probe_ended

    ended = virtual_time.run(run())
    allowed = {("up", "down"), ("down", "probing"), ("probing", "up"), ("probing", "down")}
    states = ["up", *(health.state for health in told)]
    assert set(pairwise(states)) <= allowed
    assert "up" not in refused_while
    closed = sum(pair == ("probing", "up") for pair in pairwise(states))
    assert closed == sum(ended), "it closes on each probe that is answered and on nothing else"
