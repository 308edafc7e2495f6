"""What servers say of themselves, over real sockets; each failure at start-up in one clear line."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest

from strad_engines.abilities import Abilities
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineBusyError,
    EngineError,
    EngineRefusedError,
    EngineSlowError,
)
from strad_engines.messages import Message
from strad_engines.server_address import ServerAddress
from strad_engines.server_facts import ServerFacts, ServerKind
from strad_engines.server_inquiry import ask_server
from strad_engines.server_talk import ServerTalk
from strad_engines.server_tokens import ServerTokenCounter
from tests.strad_engines.chat_server import Answer, ChatServer, http, serving

pytestmark = pytest.mark.service

KEY = "sk-secret-0123"


def listing(*cards: dict[str, Any]) -> bytes:
    return http(200, json.dumps({"object": "list", "data": list(cards)}).encode())


def ok(**members: Any) -> bytes:
    return http(200, json.dumps(members).encode())


VLLM = {
    "/v1/models": listing(
        {"id": "tiny", "owned_by": "vllm", "root": "/models/tiny", "max_model_len": 2048},
        {"id": "ad", "owned_by": "vllm", "root": "/models/ad", "parent": "tiny"},
    ),
    "/health": http(200, b""),
    "/version": ok(version="0.32.0"),
}
LLAMA = {
    "/v1/models": listing({"id": "tiny", "owned_by": "llamacpp"}),
    "/health": ok(status="ok"),
    "/props": ok(
        modalities={"vision": True, "audio": False},
        default_generation_settings={"n_ctx": 4096},
        build_info="b11434",
        model_path="/models/tiny.gguf",
    ),
}
COUNTED, NO = ok(count=12, max_model_len=2048, tokens=[]), http(400, b"{}")


def _asked(
    pages: dict[str, bytes],
    *script: Answer,
    model: str = "tiny",
    key: str | None = None,
    kind: ServerKind | None = None,
    patience_s: float = 5.0,
) -> tuple[ServerFacts, ChatServer]:
    async def run() -> tuple[ServerFacts, ChatServer]:
        async with serving(*script, pages=pages) as server:
            address = ServerAddress.of(server.url, key)
            return await ask_server(address, model, kind=kind, patience_s=patience_s), server

    return asyncio.run(run())


def test_vllm_says_what_it_takes_by_counting_it() -> None:
    """Frames with their rate named (refused by default), their times, as they are; image, sound."""
    facts, server = _asked(VLLM, NO, COUNTED, COUNTED, COUNTED, NO, COUNTED)
    assert facts == ServerFacts(
        kind="vllm",
        abilities=Abilities(
            video=True,
            images=True,
            audio=False,
            regex=True,
            log_probabilities=True,
            context=2048,
            most_frames=32,
            video_fps=1.0,
            schema=True,
        ),
        version="0.32.0",
        checkpoint="/models/tiny",
        counts_tokens=True,
        listed=True,
    )
    assert facts.said("tiny") == "tiny on vllm 0.32.0: takes video and images, 2048 tokens"
    kinds = [
        request.body["messages"][0]["content"][0]["type"]
        for request in server.asked
        if request.path == "/tokenize" and isinstance(request.body["messages"][0]["content"], list)
    ]
    assert kinds == ["video_url", "video_url", "video_url", "image_url", "input_audio"]


def shown(*words: str) -> bytes:
    """A prompt's tokens, byte-level as such tokenizers write them."""
    return ok(count=len(words), token_strs=[word.replace(" ", "\u0120") for word in words])


@pytest.mark.parametrize(
    ("prompt", "fps", "most"),
    [
        (shown("<", "0.5", " seconds", ">", "<", "2.5", " seconds", ">"), 1.0, 32),
        (shown("<0.2 seconds>", "<1.2 seconds>"), 2.0, 32),
        (shown("<1.0 seconds>", "<5.0 seconds>"), 0.5, 32),
        (shown("<0.5 seconds>"), 1.0, 2),
        (shown("no times"), 1.0, 32),
        (http(200, b"garbage"), 1.0, 32),
    ],
    ids=["its default", "faster", "slower", "fewer", "another processor", "garbage"],
)
def test_the_times_in_the_prompt_show_how_the_server_reads_frames(
    prompt: bytes, fps: float, most: int
) -> None:
    facts, server = _asked(VLLM, NO, prompt, COUNTED)
    assert (facts.abilities.video_fps, facts.abilities.most_frames) == (fps, most)
    assert server.asked[4].body["return_token_strs"] is True


def test_a_vllm_that_trusts_requests_takes_any_rate() -> None:
    facts, _ = _asked(VLLM, COUNTED)
    assert (facts.abilities.video_fps, facts.abilities.most_frames) == (None, None)


def test_a_vllm_without_its_tokenizer_leaves_open_what_it_takes() -> None:
    facts, _ = _asked({**VLLM, "/tokenize": http(404, b"{}")})
    assert (facts.abilities.video, facts.abilities.images, facts.counts_tokens) == (
        None,
        None,
        False,
    )


def test_an_adapter_is_known_as_one() -> None:
    facts, _ = _asked(VLLM, COUNTED, model="ad")
    assert facts.adapter_of == "tiny"
    assert "ad, an adapter of tiny on vllm" in facts.said("ad")


def test_llama_server_says_its_properties() -> None:
    facts, _ = _asked({**LLAMA, "/v1/chat/completions/input_tokens": ok(input_tokens=5)})
    assert facts.kind == "llama-server"
    assert facts.abilities == Abilities(
        video=False,
        images=True,
        audio=False,
        regex=True,
        log_probabilities=True,
        context=4096,
        schema=True,
    )
    assert (facts.version, facts.checkpoint) == ("b11434", "/models/tiny.gguf")
    assert facts.counts_tokens
    assert not _asked(LLAMA)[0].counts_tokens, "an older one"


@pytest.mark.parametrize(
    "pages",
    [{"/v1/models": listing({"id": "tiny", "owned_by": "somebody"})}, {}],
    ids=["listed", "lists nothing"],
)
def test_any_other_server_takes_no_video_and_keeps_no_expression(pages: dict[str, bytes]) -> None:
    facts, _ = _asked({"/v1/chat/completions": http(400, b"{}"), **pages})
    assert (facts.kind, facts.listed) == ("other", bool(pages))
    assert (facts.abilities.video, facts.abilities.images) == (False, None)
    assert not facts.abilities.regex


def test_a_server_behind_a_proxy_may_be_named() -> None:
    pages = {**VLLM, "/v1/models": listing({"id": "tiny", "owned_by": "proxy"})}
    assert _asked(pages, COUNTED, kind="vllm")[0].abilities.regex


@pytest.mark.parametrize(
    ("pages", "kind", "says"),
    [
        ({"/v1/models": listing({"id": "b"}, {"id": "a"})}, EngineRefusedError, "it serves: a, b"),
        ({"/v1/models": listing()}, EngineRefusedError, "it serves: nothing"),
        ({"/v1/models": http(401, b'{"error": "no"}')}, EngineRefusedError, "it wants a key"),
        ({"/v1/models": http(503, b'{"error": "loading"}')}, EngineBusyError, "503: loading"),
        ({"/v1/models": http(302, b"")}, EngineRefusedError, "HTTP 302"),
        ({"/v1/models": http(200, b"<html>")}, EngineAnswerError, "lists no models"),
        ({"/v1/models": http(200, b'{"data": [1]}')}, EngineAnswerError, "lists no models"),
        ({}, EngineRefusedError, "does the URL want /v1"),
        ({"/v1/chat/completions": http(401, b"{}")}, EngineRefusedError, "it wants a key"),
        ({**VLLM, "/health": http(503, b"")}, EngineBusyError, "/health: not ready"),
        ({**LLAMA, "/health": http(503, b'{"error": "loading"}')}, EngineBusyError, "loading"),
    ],
    ids=[
        "another model",
        "no model",
        "401",
        "503",
        "redirect",
        "no server",
        "garbage",
        "404",
        "401 without a list",
        "dead",
        "loading",
    ],
)
def test_what_is_wrong_is_said_at_once(
    pages: dict[str, bytes], kind: type[EngineError], says: str
) -> None:
    with pytest.raises(kind, match=says) as raised:
        _asked(pages)
    assert "\n" not in str(raised.value)


def test_a_key_that_is_refused_is_not_shown() -> None:
    said = http(403, json.dumps({"error": f"{KEY} is bad"}).encode())
    with pytest.raises(EngineRefusedError, match="not the right one") as raised:
        _asked({"/v1/models": said}, key=KEY)
    assert KEY not in str(raised.value)


def test_a_server_that_hangs_is_not_waited_for() -> None:
    with pytest.raises(EngineSlowError, match=r"did not answer in 0\.2 s"):
        _asked({}, None, patience_s=0.2)


def test_a_host_nobody_serves_on_is_out_of_reach() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = ServerAddress.of(f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    with pytest.raises(EngineBusyError, match="can't be reached"):
        asyncio.run(ask_server(address, "tiny"))


def _counted(answer: Answer, facts: ServerFacts, deadline_s: float = 5.0) -> tuple[int, ChatServer]:
    async def run() -> tuple[int, ChatServer]:
        async with serving(answer) as server:
            address = ServerAddress.of(server.url)
            async with address.client() as client:
                counter = ServerTokenCounter(ServerTalk(address, client), "tiny", facts)
                ask = [Message.of("user", "what is seen?")]
                return await counter.count(ask, deadline_s=deadline_s), server

    return asyncio.run(run())


def test_a_prompt_is_counted_with_its_template() -> None:
    count, server = _counted(COUNTED, ServerFacts("vllm"))
    assert count == 12
    assert server.asked[0].path == "/tokenize"
    assert server.asked[0].body["chat_template_kwargs"] == {"enable_thinking": False}
    count, server = _counted(ok(input_tokens=7), ServerFacts("llama-server"))
    assert (count, server.asked[0].path) == (7, "/v1/chat/completions/input_tokens")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (http(200, b"no"), EngineAnswerError),
        (ok(count=True), EngineAnswerError),
        (ok(), EngineAnswerError),
        (NO, EngineRefusedError),
        (http(500, b""), EngineBusyError),
        (None, EngineSlowError),
    ],
    ids=["garbage", "a word", "nothing", "400", "500", "hangs"],
)
def test_a_count_that_fails_says_how(answer: Answer, kind: type[EngineError]) -> None:
    with pytest.raises(kind):
        _counted(answer, ServerFacts("vllm"), deadline_s=1.0)
