"""The engine of vLLM in this process: the same tokens as transformers, held, timed, aborted."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from strad.errors import InputError
from strad_engines.engine_errors import EngineRefusedError, EngineSlowError
from strad_engines.messages import Sampling
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions
from streaming.prompt.profiles import profile
from tests.models import lessons, shapes
from tests.models.real_time import in_real_time

pytestmark = [
    pytest.mark.models,
    pytest.mark.slow,
    # torch's own compiler says so of torch's own scripts, when vLLM imports it.
    pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning"),
    # vLLM leaves its own sockets to the collector.
    pytest.mark.filterwarnings("ignore:Unclosed context:ResourceWarning"),
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning"
    ),
]

PROFILE = profile("qwen35-video")
SAMPLES = list(itertools.islice(shapes.samples(78), 4))
CHATS = [PROFILE.render(sample.window) for sample in SAMPLES]
GREEDY = Sampling(max_tokens=32, alternatives=3)
ENGINE: Mapping[str, Any] = {
    "max_model_len": 2048,
    "max_num_seqs": 4,
    "dtype": "bfloat16",
    "enforce_eager": True,
    "skip_mm_profiling": True,
}


@in_real_time
async def test_in_one_process_it_does_what_the_other_engine_does(trained: Path) -> None:
    """Token for token. One start for all, since it takes long."""
    options = EngineOptions(settings={"engine": ENGINE})
    async with (
        open_engine("vllm", str(trained), options=options) as opened,
        open_engine("transformers", str(trained)) as other,
    ):
        vllm = opened.engine
        assert opened.abilities.context == 2048
        assert "bfloat16" in opened.said[0]
        for sample, chat in zip(SAMPLES, CHATS, strict=True):
            one = await vllm.generate(chat, GREEDY, deadline_s=120)
            two = await other.engine.generate(chat, GREEDY, deadline_s=120)
            assert [t.text for t in one.tokens] == [t.text for t in two.tokens]
            assert (one.text, one.finish) == (two.text, two.finish)
            assert one.prompt_tokens == two.prompt_tokens
            assert one.text == lessons.line(sample, PROFILE)
            assert one.tokens[0].log_probability == pytest.approx(
                two.tokens[0].log_probability, abs=0.15
            )
            assert {w for w, _ in one.tokens[0].alternatives[:1]} == {
                w for w, _ in two.tokens[0].alternatives[:1]
            }
        await _answers_are_held(vllm)
        await _nothing_is_waited_for_too_long(vllm)


async def _answers_are_held(engine: Any) -> None:
    for describe in (False, True):
        regex = PROFILE.regex(describe=describe)
        hot = Sampling(120, temperature=1.5, regex=regex, seed=3)
        found = await engine.generate(CHATS[0], hot, deadline_s=120)
        assert found.finish == "length" or re.fullmatch(regex, found.text), found.text


async def _nothing_is_waited_for_too_long(engine: Any) -> None:
    long = replace(GREEDY, max_tokens=1_200, regex="[a-z ]{3000,}")
    with pytest.raises(EngineSlowError):
        await engine.generate(CHATS[0], long, deadline_s=1.0)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await engine.generate(CHATS[0], long, deadline_s=100)
    async with asyncio.timeout(20):
        await engine.generate(CHATS[0], GREEDY, deadline_s=20)


@in_real_time
async def test_an_adapter_is_not_served_unless_a_known_answer_shows_it(
    untrained: Path, tmp_path: Path
) -> None:
    options = EngineOptions(settings={"adapter": tmp_path})
    with pytest.raises(EngineRefusedError, match="known answer"):
        async with open_engine("vllm", str(untrained), options=options):
            pass


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ('{"base_model_name_or_path": "some/other"}', "was trained on some/other"),
        ('{"modules_to_save": ["merger"]}', "merge it"),
    ],
)
def test_an_adapter_that_vllm_can_not_load_is_refused_at_once(
    untrained: Path, tmp_path: Path, config: str, why: str
) -> None:
    from strad_engines.vllm_engine.starting import Starting, find

    (tmp_path / "adapter_config.json").write_text(config)
    with pytest.raises(InputError, match=why):
        find(str(untrained), Starting(adapter=tmp_path))
