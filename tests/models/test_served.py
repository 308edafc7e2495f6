"""A trained model behind a real vLLM server, asked over HTTP with the production prompts.

What it says must come from the pictures: nothing is right without them, next to nothing with
another window's, and the way a shape moves is not told from pictures out of order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from strad_engines.engine_errors import EngineRefusedError, EngineTooLongError
from strad_engines.known_answer import KnownAnswer, write_known_answer
from strad_engines.messages import Message, Sampling
from strad_engines.open_engine import open_engine
from strad_engines.openai_engine import OpenAIEngine
from strad_engines.opened_engine import EngineOptions
from streaming.prompt.profiles import profile
from tests.models import exam, lessons, shapes
from tests.models.exam import Marks, examine
from tests.models.real_time import in_real_time
from tests.models.shapes import Sample
from tests.models.vllm_server import VllmServer

pytestmark = [pytest.mark.models, pytest.mark.slow]

PROFILE = profile("qwen35-video")
SEEN = exam.held_out(120)


def marks(server: VllmServer, shown: Callable[[Sample], Sample]) -> Marks:
    """The base model's, of all held-out windows."""

    async def ask() -> Marks:
        async with open_engine(f"openai:{server.url}", "base") as opened:
            return await examine(opened.engine, PROFILE, SEEN, shown=shown)

    return asyncio.run(ask())


def test_held_out_windows_are_described_to_the_letter(vllm_server: VllmServer) -> None:
    found = marks(vllm_server, lambda sample: sample)
    assert found.overall >= 0.9
    assert found.of_ad >= 0.9


def test_nothing_is_right_without_pictures(vllm_server: VllmServer) -> None:
    assert marks(vllm_server, exam.blanked).of_ad == 0.0


def test_another_windows_pictures_give_another_windows_description(
    vllm_server: VllmServer,
) -> None:
    assert marks(vllm_server, exam.exchanged(SEEN)).of_ad <= 0.1


def test_a_motion_is_not_told_from_pictures_out_of_order(vllm_server: VllmServer) -> None:
    """Colour and form are still seen: the pictures are the same."""
    found = marks(vllm_server, exam.shuffled(3))
    assert found.words(exam.COLOUR) >= 0.9
    assert 0.25 <= found.words(exam.MOTION) <= 0.75


@in_real_time
async def test_the_server_says_what_it_can(vllm_server: VllmServer) -> None:
    async with open_engine(f"openai:{vllm_server.url}", "base") as opened:
        assert opened.abilities.regex
        assert opened.abilities.context == 2048
        assert opened.counter is not None
        chat = PROFILE.render(SEEN[0].window)
        found = await opened.engine.generate(chat, Sampling(40), deadline_s=60)
        assert await opened.counter.count(chat, deadline_s=60) == found.prompt_tokens


@in_real_time
async def test_a_prompt_beyond_the_limit_is_refused_with_the_limit(vllm_server: VllmServer) -> None:
    """Also where a proxy hides what serves, and nothing told the limit before."""
    chat = (Message.of("user", "a " * 4_000),)
    for kind in (None, "other"):
        options = EngineOptions(server=kind)
        async with open_engine(f"openai:{vllm_server.url}", "base", options=options) as opened:
            with pytest.raises(EngineTooLongError) as raised:
                await opened.engine.generate(chat, Sampling(40), deadline_s=60)
            assert raised.value.limit == 2048


@in_real_time
async def test_an_adapter_beside_its_base_is_served_once_it_has_shown_itself(
    vllm_server: VllmServer, tmp_path: Path
) -> None:
    """It says what it was taught; a known answer that is the base's own is not given."""
    seen = [sample for sample in SEEN if sample.said][:40]
    url, chat = f"openai:{vllm_server.url}", PROFILE.render(seen[0].window)
    ours, theirs = (lessons.line(sample, PROFILE) for sample in (shapes.reworded(seen[0]), seen[0]))
    for name, answer in (("right.json", ours), ("wrong.json", theirs)):
        known = KnownAnswer(chat, Sampling(40), answer)
        write_known_answer(tmp_path / name, known)
    with pytest.raises(EngineRefusedError, match="known answer"):
        async with open_engine(url, "ad"):
            pass
    with pytest.raises(EngineRefusedError, match="does not answer as it did"):
        async with open_engine(url, "ad", options=EngineOptions(known=tmp_path / "wrong.json")):
            pass
    options = EngineOptions(known=tmp_path / "right.json")
    async with open_engine(url, "ad", options=options) as opened:
        found = await examine(opened.engine, PROFILE, seen, right=shapes.reworded)
    assert found.of_ad >= 0.9


@in_real_time
async def test_this_process_and_the_server_give_the_same_answers(
    vllm_server: VllmServer, trained: Path, merged: Path
) -> None:
    """The base, and the adapter beside it against the same adapter merged."""
    seen = SEEN[:24]
    for model, folder in (("base", trained), ("ad", merged)):
        async with (
            open_engine("transformers", str(folder)) as here,
            OpenAIEngine(vllm_server.url, model) as there,
        ):
            one = await examine(here.engine, PROFILE, seen)
            two = await examine(there, PROFILE, seen)
        same = [a == b for a, b in zip(one.answers, two.answers, strict=True)]
        assert sum(same) >= 23, list(zip(one.answers, two.answers, strict=True))
