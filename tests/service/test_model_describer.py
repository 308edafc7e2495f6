"""An adapter over HTTP describes only once it gave the known answer that its model file names."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from service.model_choice import ModelChoice
from service.model_describer import open_model
from strad.model_file import ModelFile, write_model_file
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.known_answer import KnownAnswer, write_known_answer
from strad_engines.messages import Message, Sampling
from strad_engines.weights import Weights
from tests.strad_engines.chat_server import STREAM, http, piece, serving

pytestmark = pytest.mark.service

CARD = {"id": "ad", "owned_by": "vllm", "parent": "base"}
PAGES = {
    "/v1/models": http(200, json.dumps({"data": [CARD]}).encode()),
    "/tokenize": http(200, b'{"count": 3}'),
}


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """A model file with a known answer beside it."""
    known = KnownAnswer((Message.of("user", "?"),), Sampling(8), "WAIT")
    write_known_answer(tmp_path / "check.json", known)
    path = tmp_path / "strad-model.json"
    file = ModelFile(strad="model", version=1, profile="qwen35-video", check="check.json")
    write_model_file(path, file)
    return path


async def _open(answer: str, file: Path | None) -> str:
    async with serving((STREAM, piece(answer, "stop")), pages=PAGES) as server:
        choice = ModelChoice(f"openai:{server.url}", "ad", model_file=file, profile="qwen35-video")
        async with open_model(choice, Weights(hub=False)) as opened:
            return opened.said[0]


def test_an_adapter_that_answers_as_it_was_checked_is_taken(model_file: Path) -> None:
    assert "ad, an adapter of base on vllm" in asyncio.run(_open("WAIT", model_file))


def test_one_that_does_not_or_shows_nothing_is_refused(model_file: Path) -> None:
    with pytest.raises(EngineRefusedError, match="does not answer as it did"):
        asyncio.run(_open("!!!!", model_file))
    with pytest.raises(EngineRefusedError, match="serve the merged checkpoint"):
        asyncio.run(_open("WAIT", None))
