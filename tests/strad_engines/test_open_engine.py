"""Engines by their names: what opens, and what is said when it can't."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from strad.errors import InputError, MissingModelError, StradError
from strad_engines import open_engine as opening
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Message, Sampling
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions
from tests.strad_engines.chat_server import STREAM, http, piece, serving

pytestmark = pytest.mark.service

ASK = [Message.of("user", "?")]
CARD = {"id": "tiny", "owned_by": "vllm", "max_model_len": 2048}
PAGES = {
    "/v1/models": http(200, json.dumps({"data": [CARD]}).encode()),
    "/tokenize": http(200, b'{"count": 3}'),
}


def test_a_server_is_opened_with_what_it_said() -> None:
    async def run() -> None:
        answer = (STREAM, piece("WAIT", "stop"))
        async with serving(answer, pages=PAGES) as server:
            options = EngineOptions(extra={"seed": 5}, patience_s=3.0)
            spec = f"openai:{server.url}"
            async with open_engine(spec, "tiny", key="k", options=options) as opened:
                assert opened.abilities.context == 2048
                assert opened.said == (
                    "tiny on vllm: takes video and images and sound, 2048 tokens",
                )
                assert opened.counter is not None
                assert await opened.counter.count(ASK, deadline_s=3.0) == 3
                sampling = Sampling(4, regex="WAIT")
                found = await opened.engine.generate(ASK, sampling, deadline_s=3.0)
            assert found.text == "WAIT"
            sent = server.asked[-1]
            assert sent.body["structured_outputs"] == {"regex": "WAIT"}
            assert sent.body["seed"] == 5
            assert {request.headers["authorization"] for request in server.asked} == {"Bearer k"}

    asyncio.run(run())


def test_another_model_than_the_one_wanted_is_refused() -> None:
    async def run() -> None:
        async with serving(pages=PAGES) as server, open_engine(f"openai:{server.url}", "other"):
            pass

    with pytest.raises(EngineRefusedError, match="it serves: tiny"):
        asyncio.run(run())


def test_a_script_is_said_over_and_over(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("WAIT\n\nAD <0.5> A door opens. <2.0>\n")

    async def run() -> list[str]:
        async with open_engine(f"scripted:{script}", "") as opened:
            ask = opened.engine.generate
            return [(await ask(ASK, Sampling(4), deadline_s=1.0)).text for _ in range(3)]

    assert asyncio.run(run()) == ["WAIT", "AD <0.5> A door opens. <2.0>", "WAIT"]


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("gpt", "there are: openai:URL, vllm, transformers, scripted:FILE"),
        ("", "there are"),
        ("openai", "openai:URL"),
        ("openai:", "openai:URL"),
        ("openai:localhost/v1", "http"),
        ("scripted", "scripted:FILE"),
        ("scripted:/nowhere/at/all", "/nowhere/at/all"),
        ("vllm:http://host", "nothing after its name"),
        ("transformers:x", "nothing after its name"),
    ],
)
def test_a_name_that_is_none_is_bad_usage(spec: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        asyncio.run(_opened(spec))


def test_an_empty_script_is_refused(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("\n")
    with pytest.raises(InputError, match="without a line"):
        asyncio.run(_opened(f"scripted:{tmp_path / 'script'}"))


@pytest.mark.parametrize(
    ("spec", "install"),
    [
        ("vllm", r"needs torch and vllm: pip install 'strad\[gpu\]'"),
        ("transformers", r"needs torch and transformers: pip install 'strad\[local\]'"),
    ],
)
def test_what_is_not_installed_says_what_to_install(
    spec: str, install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing: Callable[[str], ModuleSpec | None] = lambda _: None  # noqa: E731
    monkeypatch.setattr(opening, "find_spec", nothing)
    with pytest.raises(MissingModelError, match=install) as raised:
        asyncio.run(_opened(spec))
    assert isinstance(raised.value, StradError)


async def _opened(spec: str) -> None:
    async with open_engine(spec, "tiny"):
        raise AssertionError(spec)
