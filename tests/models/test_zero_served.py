"""strad-zero over a real vLLM server and a tiny model: plumbing only, it was trained otherwise.

Its prompts fit, pictures and videos are taken, answers come held to their forms, or are counted.
"""

from __future__ import annotations

import re

import pytest

from strad.decision import Describe, Wait, WaitReason
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import OpenedEngine
from streaming.describers.strad_zero.asking import ZeroAsking
from streaming.describers.strad_zero.describer import StradZeroDescriber
from tests.models import exam
from tests.models.real_time import in_real_time
from tests.models.vllm_server import VllmServer

pytestmark = [pytest.mark.models, pytest.mark.slow]

SEEN = exam.held_out(6)


class Listening:
    """Remembers what an engine answered, and to which form."""

    def __init__(self, opened: OpenedEngine) -> None:
        self._engine = opened.engine
        self.name = opened.engine.name
        self.answers: list[tuple[str | None, Generated]] = []

    async def generate(
        self, messages: list[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        found = await self._engine.generate(messages, sampling, deadline_s=deadline_s)
        self.answers.append((sampling.regex, found))
        return found


@in_real_time
@pytest.mark.parametrize("one_call", [False, True], ids=["three calls", "one call"])
@pytest.mark.parametrize("video", [False, True], ids=["images", "video"])
async def test_every_stage_is_answered_in_its_form(
    vllm_server: VllmServer, one_call: bool, video: bool
) -> None:
    async with open_engine(f"openai:{vllm_server.url}", "base") as opened:
        engine = Listening(opened)
        asking = ZeroAsking(one_call=one_call, video=video, context_tokens=200, deadline_s=100)
        describer = StradZeroDescriber(engine, model="base", asking=asking)  # type: ignore[arg-type]
        decided = [await describer.decide(sample.window) for sample in SEEN]
    assert engine.answers
    for regex, found in engine.answers:
        assert regex is not None
        if found.finish == "stop":
            assert re.fullmatch(regex, found.text), found.text
    for decision in decided:
        match decision:
            case Describe(forms):
                assert all(form.strip() for form in forms)
            case Wait(reason):
                assert reason is not WaitReason.DESCRIBER_FAILED
