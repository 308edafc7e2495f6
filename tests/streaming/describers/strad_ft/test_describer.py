"""The describer by script: the decision and its threshold, second requests, failures, costs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.cues import Cue
from strad.decision import Describe, Wait, WaitReason
from strad.errors import DescriberError
from strad.timeline import Interval
from strad_engines.engine_errors import EngineBusyError, EngineRefusedError, EngineTooLongError
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.scripted_engine import ScriptedEngine
from streaming.describers.describer import Describer
from streaming.describers.strad_ft.asking import Asking, Penalty
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.prompt.profiles import PROFILES
from tests.fakes import describe
from tests.streaming.describers.strad_ft.engines import (
    Asked,
    AskedEngine,
    CountingEngine,
    answer,
    texts,
)
from tests.streaming.prompt.windows import spoken, window
from tests.virtual_time import run

pytestmark = pytest.mark.unit

PROFILE = PROFILES["qwen35-video"]
TOLD = Cue(Interval(1_000, 2_000), "A woman opens the red door.")
WINDOW = window(10_000, history=[TOLD])
CAT = "AD <1.0> A cat sleeps. <2.5>"
SLEEPS = describe("A cat sleeps.", 4_000, 5_500)
NEAR_4 = pytest.approx(4.0, abs=1e-3)
AGAIN = "AD <1.0> A woman opens the red door. <2.5>"


def describer(engine: AskedEngine, **asking: object) -> StradFtDescriber:
    settings = replace(Asking(), **asking)  # type: ignore[arg-type]
    return StradFtDescriber(engine, PROFILE, model="tiny", asking=settings)


def decided(engine: AskedEngine, **asking: object) -> Describe | Wait:
    return run(describer(engine, **asking).decide(WINDOW))


def test_it_is_a_describer_whose_output_is_a_draft_until_its_card_says_otherwise() -> None:
    plain: Describer = describer(AskedEngine())
    released = StradFtDescriber(AskedEngine(), PROFILE, model="tiny", release=True)
    assert (plain.name, plain.draft, released.draft) == ("strad-ft:tiny", True, False)


def test_a_line_is_a_description_with_its_odds() -> None:
    engine = AskedEngine(answer(CAT, odds=2.0))
    said = decided(engine)
    assert said == replace(SLEEPS, odds=pytest.approx(2.0))
    [asked] = engine.asked
    assert asked.messages == PROFILE.render(WINDOW)
    assert asked.sampling.temperature == 0.0
    assert asked.sampling.presence_penalty == 1.5
    assert asked.sampling.alternatives == 20
    assert asked.sampling.regex == PROFILE.regex()


def test_waiting_is_a_wait_with_its_odds() -> None:
    engine = AskedEngine(answer("WAIT", odds=-3.0))
    assert decided(engine) == Wait(WaitReason.MODEL_WAITS, pytest.approx(-3.0))
    assert len(engine.asked) == 1


def test_a_description_under_the_threshold_is_not_spoken() -> None:
    engine = AskedEngine(answer(CAT, odds=0.9))
    assert decided(engine, threshold=1.0) == Wait(WaitReason.UNSURE, pytest.approx(0.9))


def test_a_wait_over_the_threshold_is_asked_again_for_a_description() -> None:
    engine = AskedEngine(answer("WAIT", odds=-0.5), answer(CAT, odds=9.0))
    said = decided(engine, threshold=-1.0)
    assert said == replace(SLEEPS, odds=pytest.approx(-0.5))
    assert engine.asked[1].sampling.regex == PROFILE.regex(describe=True)
    assert engine.asked[1].messages == engine.asked[0].messages


def test_a_wait_under_the_threshold_stays_one() -> None:
    engine = AskedEngine(answer("WAIT", odds=-1.5))
    assert decided(engine, threshold=-1.0) == Wait(WaitReason.MODEL_WAITS, pytest.approx(-1.5))


def test_the_second_answer_may_be_no_good_either() -> None:
    engine = AskedEngine(answer("WAIT", odds=-0.5), answer(AGAIN))
    assert decided(engine, threshold=-1.0) == Wait(WaitReason.REPEATED, pytest.approx(-0.5))
    assert len(engine.asked) == 2


def test_without_odds_the_word_decides() -> None:
    assert decided(AskedEngine(answer(CAT)), threshold=5.0) == SLEEPS
    waits = decided(AskedEngine(answer("WAIT")), threshold=-5.0)
    assert waits == Wait(WaitReason.MODEL_WAITS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", WaitReason.EMPTY),
        ("AD <3.0> A cat sleeps. <2.0>", WaitReason.BACKWARDS),
        ("AD <7.5> A cat sleeps. <9.0>", WaitReason.OUTSIDE_WINDOW),
        ("AD <1.0> ** <2.0>", WaitReason.EMPTY),
        ("AD <1.0> *A cat* sleeps. <2.0>", WaitReason.MARKUP),
        ("AD <1.0> The video shows a cat. <2.0>", WaitReason.META_TALK),
        ("AD <1.0> I can't tell. <2.0>", WaitReason.REFUSED),
        ("As an AI model, I can't.", WaitReason.REFUSED),
        (AGAIN, WaitReason.REPEATED),
        ("A cat sleeps.", WaitReason.UNPARSABLE),
    ],
)
def test_what_can_not_be_spoken_is_a_wait_that_says_why(text: str, reason: WaitReason) -> None:
    engine = AskedEngine(answer(text, odds=4.0))
    assert decided(engine) == Wait(reason, NEAR_4)
    assert len(engine.asked) == 1


def test_a_repeat_is_asked_again_with_the_penalty_where_it_spares_end_times() -> None:
    engine = AskedEngine(answer(AGAIN, odds=4.0), answer(CAT, odds=9.0))
    said = decided(engine, penalty=Penalty.ON_REPEAT)
    assert said == replace(SLEEPS, odds=NEAR_4)
    assert [asked.sampling.presence_penalty for asked in engine.asked] == [0.0, 1.5]


def test_the_penalty_can_be_off() -> None:
    engine = AskedEngine(answer(AGAIN, odds=4.0))
    assert decided(engine, penalty=Penalty.NEVER) == Wait(WaitReason.REPEATED, NEAR_4)
    assert engine.asked[0].sampling.presence_penalty == 0.0


def test_an_engine_that_can_not_hold_to_the_form_is_asked_without_from_then_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    engine = AskedEngine(answer(f"{CAT}\nIt is grey."), answer("WAIT", -0.5), constrains=False)
    asks = describer(engine, threshold=-1.0)
    with caplog.at_level(logging.WARNING):
        assert run(asks.decide(WINDOW)) == SLEEPS
        waits = run(asks.decide(WINDOW))
    assert waits == Wait(WaitReason.MODEL_WAITS, pytest.approx(-0.5))
    assert [asked.sampling.regex is None for asked in engine.asked] == [False, True, True]
    assert [record.message for record in caplog.records] == [
        "strad-ft:tiny: answers are not held to the line's form: asked: no regular expressions here"
    ]


@pytest.mark.parametrize("constrains", [True, False])
def test_an_engine_without_log_probabilities_is_asked_without_from_then_on(
    caplog: pytest.LogCaptureFixture, constrains: bool
) -> None:
    """What else it can stays asked for."""
    no = EngineRefusedError("no logprobs here")
    refusals = [no, no] if constrains else [no]
    engine = AskedEngine(*refusals, answer(CAT), answer("WAIT"), constrains=constrains)
    asks = describer(engine, threshold=-1.0)
    with caplog.at_level(logging.WARNING):
        assert run(asks.decide(WINDOW)) == SLEEPS
        asked = len(engine.asked)
        waits = run(asks.decide(WINDOW))
    assert waits == Wait(WaitReason.MODEL_WAITS)
    [once] = engine.asked[asked:]
    assert once.sampling.alternatives is None
    assert (once.sampling.regex is not None) == constrains
    assert "the word decides, not its odds" in caplog.records[0].message


def test_a_refusal_of_another_kind_is_the_describers_failure() -> None:
    no = EngineRefusedError("no model 'tiny' here")
    with pytest.raises(DescriberError, match=r"^strad-ft:tiny: no model 'tiny' here$"):
        decided(AskedEngine(no, no, no, no))


def test_an_engine_that_has_answered_is_not_asked_otherwise_when_it_refuses() -> None:
    engine = AskedEngine(answer("WAIT"), EngineRefusedError("the model is gone"))
    asks = describer(engine)
    run(asks.decide(WINDOW))
    with pytest.raises(DescriberError, match="the model is gone"):
        run(asks.decide(WINDOW))
    assert len(engine.asked) == 2


def test_an_engine_that_is_down_is_the_describers_failure() -> None:
    with pytest.raises(DescriberError, match=r"^strad-ft:tiny: can't be reached$"):
        decided(AskedEngine(EngineBusyError("can't be reached")))


def test_all_requests_of_a_window_share_one_deadline() -> None:
    engine = AskedEngine(answer("WAIT", odds=-0.5), answer(CAT), seconds=6.0)
    with pytest.raises(DescriberError, match=r"^strad-ft:tiny: no answer in 10 s$"):
        decided(engine, threshold=-1.0, deadline_s=10.0)
    assert [asked.deadline_s for asked in engine.asked] == [10.0, pytest.approx(4.0)]


def test_an_engine_that_is_too_slow_says_so_itself() -> None:
    slow = ScriptedEngine(["WAIT"], name="slow", takes_s=60.0)
    asks = StradFtDescriber(slow, PROFILE, model="tiny", asking=Asking(deadline_s=5.0))
    with pytest.raises(DescriberError, match=r"^strad-ft:tiny: slow: no answer in 5 s$"):
        run(asks.decide(WINDOW))


@given(text=st.text(), odds=st.none() | st.floats(-40, 40), threshold=st.floats(-5, 5))
def test_any_answer_is_a_decision(text: str, odds: float | None, threshold: float) -> None:
    """Twice, where it is asked again; and nothing under the threshold is ever spoken."""
    engine = AskedEngine(answer(text, odds), answer(text, odds))
    decision = decided(engine, threshold=threshold)
    if isinstance(decision, Describe):
        assert decision.odds is None or decision.odds >= threshold
    else:
        assert decision.reason is not WaitReason.DESCRIBER_FAILED


def test_a_window_without_pictures_is_not_asked_about() -> None:
    engine = AskedEngine()
    blind = run(describer(engine).decide(replace(WINDOW, frames=())))
    assert blind == Wait(WaitReason.NO_FRAMES)
    assert engine.asked == []


def test_stages_add_up_over_both_requests() -> None:
    engine = AskedEngine(answer("WAIT", odds=-0.5), answer(CAT, odds=9.0), seconds=1.0)
    said = decided(engine, threshold=-1.0)
    assert [name for name, _ in said.stages] == [
        "queue", "prompt", "prefill", "decode", "engine", "parse",
    ]  # fmt: skip
    spent = dict(said.stages)
    assert (spent["prefill"], spent["decode"], spent["engine"]) == (1.0, 0.5, 0.5)
    assert sum(spent.values()) == pytest.approx(2.0)


def test_only_so_many_windows_are_with_the_engine_at_once() -> None:
    engine = AskedEngine(*(answer(CAT) for _ in range(6)), seconds=1.0)
    asks = StradFtDescriber(engine, PROFILE, model="tiny", max_in_flight=2)

    async def six() -> list[float]:
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(asks.decide(WINDOW)) for _ in range(6)]
        return [dict(task.result().stages)["queue"] for task in asked]

    assert run(six()) == pytest.approx([0, 0, 1, 1, 2, 2])
    assert engine.most_at_once == 2


def test_the_answer_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        decided(AskedEngine(answer(CAT, odds=2.0)))
        decided(AskedEngine(answer("A secret cat.", odds=2.0)))
    assert "cat" not in caplog.text


def test_context_gets_what_the_models_limit_leaves(caplog: pytest.LogCaptureFixture) -> None:
    """It is counted before it is sent, again with more pictures; what is lost is counted."""
    words = spoken(*(f"word{n}." for n in range(100)))
    talk, short = window(60_000, words=words), window(60_000, words=words, length=2_000)
    engine = CountingEngine(*3 * [answer("WAIT")], count=len, picture=50)
    asking = Asking(model_tokens=2_000)
    asks = StradFtDescriber(engine, PROFILE, model="tiny", asking=asking, counter=engine)
    for asked_about in (short, talk, talk):
        run(asks.decide(asked_about))
    assert engine.counted == 4
    for asked in engine.asked:
        assert engine.size(asked.messages) + 96 <= 2_000
        assert "word99." in "".join(texts(asked.messages))
        assert "word0." not in "".join(texts(asked.messages))
    left_out = asks.left_out
    assert left_out > 0
    with caplog.at_level(logging.INFO):
        run(asks.aclose())
        run(asks.aclose())
    [record] = caplog.records
    assert record.message.startswith(f"strad-ft:tiny: {left_out} elements of context")


def test_without_a_counter_the_limit_is_learnt_from_the_answers() -> None:
    talk = window(60_000, words=spoken(*(f"word{n}." for n in range(100))))
    engine = CountingEngine(*2 * [answer("WAIT")], count=lambda text: len(text) // 4, picture=50)
    asks = StradFtDescriber(engine, PROFILE, model="tiny", asking=Asking(model_tokens=1_000))
    run(asks.decide(talk))
    run(asks.decide(talk))
    sizes = [engine.size(asked.messages) + 96 for asked in engine.asked]
    assert sizes[1] <= 1_000 < sizes[0]


class ShortEngine(CountingEngine):
    """Refuses prompts beyond its limit, and may say what that is."""

    limit, says = 600, True

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        if self.size(messages) + sampling.max_tokens > self.limit:
            self.asked.append(Asked(tuple(messages), sampling, deadline_s))
            raise EngineTooLongError("too long", self.limit if self.says else None)
        return await super().generate(messages, sampling, deadline_s=deadline_s)


@pytest.mark.parametrize("says", [True, False])
def test_a_prompt_the_model_finds_too_long_is_sent_again_with_less_context(says: bool) -> None:
    """Nothing told the limit before. The next window is asked about once; what it costs counts."""
    talk = window(60_000, words=spoken(*(f"word{n}." for n in range(100))))
    engine = ShortEngine(*2 * [answer("WAIT")], count=lambda text: len(text) // 4, picture=10)
    engine.says = says
    asks = StradFtDescriber(engine, PROFILE, model="tiny", asking=Asking())
    run(asks.decide(talk))
    tried, left_out = len(engine.asked), asks.left_out
    run(asks.decide(talk))
    assert 1 < tried <= 12
    assert len(engine.asked) == tried + 1
    assert asks.left_out > left_out > 0
    assert "word99." in "".join(texts(engine.asked[-1].messages))


def test_a_prompt_that_is_too_long_without_any_context_is_the_describers_failure() -> None:
    engine = ShortEngine(count=len, picture=1_000)
    talk = window(60_000, words=spoken(*(f"word{n}." for n in range(100))))
    with pytest.raises(DescriberError, match="too long"):
        run(StradFtDescriber(engine, PROFILE, model="tiny").decide(talk))
    assert len(engine.asked) < 20
