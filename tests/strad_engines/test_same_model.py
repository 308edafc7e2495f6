"""A server that was away and came back, asked over real sockets whether it serves the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

import pytest

from strad_engines.engine_errors import EngineBusyError, EngineRefusedError
from strad_engines.same_model import SameModel
from strad_engines.server_address import ServerAddress
from strad_engines.server_facts import ServerFacts, ServerKind
from strad_engines.server_talk import ServerTalk
from tests.strad_engines.chat_server import http, serving

pytestmark = pytest.mark.service


def checked(kind: ServerKind, pages: Mapping[str, bytes], was: str = "/models/one") -> None:
    """Asks a server of these pages; it served ``was`` before."""

    async def run() -> None:
        async with serving(pages=pages) as server:
            address = ServerAddress.of(server.url)
            async with address.client() as client, asyncio.timeout(60):
                facts = ServerFacts(kind, checkpoint=was)
                await SameModel(ServerTalk(address, client), "ad", facts).check()

    asyncio.run(run())


def listing(**card: object) -> dict[str, bytes]:
    return {"/v1/models": http(200, json.dumps({"data": [card]}).encode())}


def props(path: str) -> dict[str, bytes]:
    return {"/props": http(200, json.dumps({"model_path": path}).encode())}


def test_the_same_weights_are_the_same_model() -> None:
    checked("vllm", listing(id="ad", root="/models/one"))
    checked("llama-server", props("/models/one"))


def test_other_weights_under_its_name_are_refused() -> None:
    with pytest.raises(EngineRefusedError, match=r"other weights for 'ad': /models/two, not"):
        checked("vllm", listing(id="ad", root="/models/two"))
    with pytest.raises(EngineRefusedError, match=r"other weights for 'ad'"):
        checked("llama-server", props("/models/two"))


def test_a_model_that_is_gone_is_refused() -> None:
    with pytest.raises(EngineRefusedError, match=r"lists no 'ad' any more; it serves: tiny"):
        checked("vllm", listing(id="tiny", root="/models/one"))


def test_a_server_that_is_not_ready_is_busy() -> None:
    with pytest.raises(EngineBusyError, match="not ready"):
        checked("vllm", {"/v1/models": http(503, b"{}")})


@pytest.mark.parametrize("pages", [{"/v1/models": http(200, b"[")}, listing(id="ad")])
def test_a_server_that_tells_no_weights_is_believed(pages: dict[str, bytes]) -> None:
    checked("vllm", pages)
    checked("other", {})
    checked("vllm", listing(id="ad", root="/models/two"), was="")
