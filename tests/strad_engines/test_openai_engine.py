"""The HTTP engine against a real server that refuses, stalls, lies and recovers."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import math
import socket

import pytest

from strad.errors import InputError, StradError
from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineBusyError,
    EngineError,
    EngineRefusedError,
    EngineSlowError,
    EngineTooLongError,
)
from strad_engines.messages import Audio, Generated, Image, Message, Sampling, Text
from strad_engines.openai_engine import OpenAIEngine
from tests.strad_engines.chat_server import ChatServer, completion, http, serving

pytestmark = pytest.mark.service

GREEDY = Sampling(max_tokens=8)
ASK = (Message.of("user", "what is seen?"),)
KEY = "sk-secret-0123"


async def _ask(
    url: str,
    sampling: Sampling = GREEDY,
    messages: tuple[Message, ...] = ASK,
    deadline_s: float = 5.0,
) -> Generated:
    async with OpenAIEngine(url, "tiny", key=KEY, first_pause_s=0.01) as engine:
        held: ChatEngine = engine
        return await held.generate(messages, sampling, deadline_s=deadline_s)


def _served(*script: bytes | None, deadline_s: float = 5.0) -> tuple[Generated, ChatServer]:
    async def run() -> tuple[Generated, ChatServer]:
        async with serving(*script) as server:
            return await _ask(server.url, deadline_s=deadline_s), server

    return asyncio.run(run())


def test_what_is_sent_is_what_such_servers_read() -> None:
    parts = (Text("look"), Image(b"jpeg"), Audio(b"wave"))
    messages = (Message.of("system", "be brief"), Message("user", parts))
    sampling = Sampling(max_tokens=8, seed=3, presence_penalty=1.5, stop=("\n",), alternatives=2)

    async def run() -> ChatServer:
        async with serving(http(200, completion())) as server:
            await _ask(server.url, sampling, messages)
            return server

    (request,) = asyncio.run(run()).asked
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    body = request.body
    assert body["messages"][0] == {"role": "system", "content": "be brief"}
    seen = base64.b64encode(b"jpeg").decode()
    assert body["messages"][1]["content"][1]["image_url"]["url"] == f"data:image/jpeg;base64,{seen}"
    assert body["messages"][1]["content"][2]["input_audio"]["format"] == "wav"
    asked = ("model", "max_tokens", "temperature", "seed", "presence_penalty", "stop")
    assert [body[k] for k in asked] == ["tiny", 8, 0.0, 3, 1.5, ["\n"]]
    assert (body["logprobs"], body["top_logprobs"], body["stream"]) == (True, 2, True)


def test_text_comes_with_log_probabilities_and_counts() -> None:
    listed = [
        {"token": "a", "logprob": -0.5, "top_logprobs": [{"token": "a", "logprob": -0.5}]},
        {"token": " door", "logprob": -9999.0, "top_logprobs": []},
    ]
    body = completion("a door", finish_reason="length", logprobs={"content": listed})
    answer, _ = _served(http(200, body))
    assert (answer.text, answer.finish) == ("a door", "length")
    assert (answer.prompt_tokens, answer.completion_tokens) == (7, 3)
    assert answer.tokens[0].alternatives == (("a", -0.5),)
    assert answer.tokens[1].log_probability == -math.inf


@pytest.mark.parametrize(
    "trouble",
    [http(429, b"{}", "retry-after: 0.01"), http(500, b"oops"), http(503, b""), b""],
    ids=["429", "500", "503", "dropped"],
)
def test_what_may_pass_is_asked_again(trouble: bytes) -> None:
    answer, server = _served(trouble, trouble, http(200, completion()))
    assert answer.text == "a door opens"
    assert len(server.asked) == 3


def test_a_server_that_starts_late_is_waited_for() -> None:
    async def run() -> Generated:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        async with asyncio.TaskGroup() as group:
            asked = group.create_task(_ask(f"http://127.0.0.1:{port}/v1"))
            await asyncio.sleep(0.1)
            assert not asked.done()

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(http(200, completion("late"), "connection: close"))
                writer.close()

            server = await asyncio.start_server(serve, "127.0.0.1", port)
            async with server:
                return await asked

    assert asyncio.run(run()).text == "late"


@pytest.mark.parametrize(
    ("trouble", "kind", "says"),
    [
        (http(503, b'{"error": {"message": "warming up"}}'), EngineBusyError, "warming up"),
        (http(429, b"{}", "retry-after: 3600"), EngineBusyError, "HTTP 429"),
        (None, EngineSlowError, "no answer in 0.5 s"),
    ],
    ids=["busy", "told to wait", "hangs"],
)
def test_the_deadline_ends_it(trouble: bytes | None, kind: type[EngineError], says: str) -> None:
    with pytest.raises(kind, match=says) as raised:
        _served(trouble, deadline_s=0.5)
    assert raised.value.retryable


def test_a_port_nobody_listens_on_is_said_to_be_out_of_reach() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(EngineBusyError, match="can't be reached"):
        asyncio.run(_ask(url, deadline_s=1.0))


@pytest.mark.parametrize(
    "body",
    [
        b"<html>hello</html>",
        b"",
        b"[1]",
        b"null",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b"[" * 100_000,
        completion(logprobs={"content": [{"token": "a", "logprob": math.nan}]}),
        completion(logprobs={"content": [{"token": "a", "logprob": "x"}]}),
        b"\xff\xfe",
    ],
)
def test_garbage_is_no_answer_and_is_not_asked_for_again(body: bytes) -> None:
    async def run() -> int:
        async with serving(http(200, body)) as server:
            with pytest.raises(EngineAnswerError):
                await _ask(server.url)
            return len(server.asked)

    assert asyncio.run(run()) == 1


def test_a_refusal_is_final_and_never_shows_the_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="httpx")
    caplog.set_level(logging.DEBUG, logger="strad_engines")
    said = f'{{"error": {{"message": "bad key {KEY}"}}}}'.encode()

    async def run() -> tuple[str, int]:
        async with serving(http(401, said)) as server:
            with pytest.raises(EngineRefusedError) as raised:
                await _ask(server.url)
            return f"{raised.value} {raised.value!r}", len(server.asked)

    message, times = asyncio.run(run())
    assert (times, "bad key [key]" in message) == (1, True)
    assert KEY not in message + caplog.text + repr(OpenAIEngine("http://h/v1", "m", key=KEY))


VLLM = (
    "This model's maximum context length is 2048 tokens. However, your prompt contains at least "
    "2049 input tokens, which exceeds this limit even without any output tokens."
)
LLAMA = {
    "code": 400,
    "message": "the request exceeds the available context size, try increasing it",
    "type": "exceed_context_size_error",
    "n_prompt_tokens": 9000,
    "n_ctx": 4096,
}


@pytest.mark.parametrize(
    ("status", "error", "limit"),
    [
        (400, {"message": VLLM}, 2048),
        (
            400,
            {"message": "The prompt (length 9) is longer than the maximum model length of 7."},
            7,
        ),
        (400, LLAMA, 4096),
        (400, {"message": "Your input is too long", "code": "context_length_exceeded"}, None),
        (413, {"message": "payload too large"}, None),
        (422, "inputs: maximum context length is (512)", 512),
    ],
)
def test_a_prompt_that_is_too_long_is_told_from_other_refusals(
    status: int, error: object, limit: int | None
) -> None:
    with pytest.raises(EngineTooLongError) as raised:
        _served(http(status, json.dumps({"error": error}).encode()))
    assert raised.value.limit == limit


def test_only_a_server_that_was_away_is_asked_whether_it_is_the_same() -> None:
    """Overload is no reason; a lost connection is, until the server has said that it is."""
    checked: list[str] = []

    async def same() -> None:
        checked.append("asked")
        if len(checked) == 1:
            raise EngineBusyError("loading")
        if len(checked) == 3:
            raise EngineRefusedError("other weights")

    async def run() -> tuple[ChatServer, list[str]]:
        fine, busy = http(200, completion()), http(503, b"")
        async with serving(busy, fine, b"", fine, b"", fine) as server:
            engine = OpenAIEngine(server.url, "tiny", same=same, first_pause_s=0.01)
            async with engine:
                for expected in ([], ["asked"] * 2):
                    await engine.generate(ASK, GREEDY, deadline_s=5.0)
                    assert checked == expected
                for _ in range(2):
                    with pytest.raises(EngineRefusedError, match="other weights"):
                        await engine.generate(ASK, GREEDY, deadline_s=5.0)
                    del checked[2:]
            return server, checked

    server, _ = asyncio.run(run())
    assert len(server.asked) == 5


def test_a_row_of_failures_is_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        busy = http(503, b'{"error": {"message": "warming up"}}')
        script = [*(busy,) * 5, http(200, completion()), busy]
        async with (
            serving(*script) as server,
            OpenAIEngine(server.url, "tiny", first_pause_s=0.01, telling_s=0.02) as engine,
        ):
            await engine.generate(ASK, GREEDY, deadline_s=20.0)
            for _ in range(2):
                with pytest.raises(EngineBusyError):
                    await engine.generate(ASK, GREEDY, deadline_s=0.5)

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    told = [r.message for r in caplog.records if "asking again" in r.message]
    assert len(told) == 2
    assert "warming up" in told[0]


def test_a_redirect_is_not_followed() -> None:
    with pytest.raises(EngineRefusedError, match="HTTP 307"):
        _served(http(307, b"", "location: http://127.0.0.1:9/elsewhere"))


def test_cancelling_ends_the_request() -> None:
    async def run() -> None:
        async with serving(None) as server:
            async with asyncio.timeout(60.0):
                async with asyncio.TaskGroup() as group:
                    asked = group.create_task(_ask(server.url, deadline_s=60.0))
                    await server.came.wait()
                    asked.cancel()
                await server.left.wait()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("ftp://host/v1", None),
        ("host/v1", None),
        ("http://me:pw@host/v1", None),
        ("http://host/v1?key=x", None),
        ("http://host/v1", "two words"),
        ("http://host/v1", "line\nbreak"),
        ("http://host:port/v1", None),
    ],
)
def test_what_cannot_be_a_server_or_a_key_is_refused_at_once(url: str, key: str | None) -> None:
    with pytest.raises(InputError) as raised:
        OpenAIEngine(url, "m", key=key)
    assert key is None or key not in str(raised.value)


def test_members_of_the_callers_own_go_into_each_request_and_into_the_name() -> None:
    extra = {"chat_template_kwargs": {"enable_thinking": False}, "temperature": 0.5}

    async def run() -> tuple[str, ChatServer]:
        async with (
            serving(http(200, completion())) as server,
            OpenAIEngine(server.url, "tiny", extra=extra) as engine,
        ):
            await engine.generate(ASK, GREEDY, deadline_s=5)
            return engine.name, server

    name, server = asyncio.run(run())
    assert server.asked[0].body["chat_template_kwargs"] == {"enable_thinking": False}
    assert server.asked[0].body["temperature"] == 0.5
    assert "authorization" not in server.asked[0].headers
    assert name == 'tiny {"chat_template_kwargs": {"enable_thinking": false}, "temperature": 0.5}'


def test_it_must_be_opened() -> None:
    async def run() -> None:
        await OpenAIEngine("http://h/v1", "m").generate(ASK, GREEDY, deadline_s=1)

    with pytest.raises(StradError, match="async with"):
        asyncio.run(run())
