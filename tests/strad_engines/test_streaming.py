"""Streamed answers over real sockets: put together, timed, cut off, full of garbage, cancelled."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from strad_engines import openai_engine
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineBusyError,
    EngineError,
    EngineRefusedError,
)
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.openai_engine import OpenAIEngine
from tests.strad_engines.chat_server import (
    STREAM,
    Answer,
    ChatServer,
    completion,
    event,
    http,
    piece,
    serving,
)

pytestmark = pytest.mark.service

ASK = (Message.of("user", "what is seen?"),)
DONE = b"data: [DONE]\n\n"
USAGE = event({"choices": [], "usage": {"prompt_tokens": 135, "completion_tokens": 2}})
WHOLE = (STREAM, piece(""), piece("a "), piece("door", "stop"), USAGE, DONE)


def token(text: str, chance: float) -> dict[str, object]:
    other = {"token": "x", "logprob": -3.0}
    return {"content": [{"token": text, "logprob": chance, "top_logprobs": [other]}]}


async def _ask(server: ChatServer, deadline_s: float = 5.0) -> Generated:
    async with OpenAIEngine(server.url, "tiny", first_pause_s=0.01) as engine:
        return await engine.generate(ASK, Sampling(8, alternatives=1), deadline_s=deadline_s)


def _served(*script: Answer, deadline_s: float = 5.0) -> tuple[Generated, ChatServer]:
    async def run() -> tuple[Generated, ChatServer]:
        async with serving(*script) as server:
            return await _ask(server, deadline_s), server

    return asyncio.run(run())


def test_pieces_become_one_answer() -> None:
    answer, server = _served(
        (
            STREAM + b": a comment\n\n" + piece("")[:9],
            piece("")[9:],
            piece("a ", logprobs=token("a ", -0.5)),
            piece("door", logprobs=token("door", -0.25)),
            piece(None, "length"),
            USAGE,
            DONE,
        )
    )
    assert (answer.text, answer.finish) == ("a door", "length")
    assert [(t.text, t.log_probability) for t in answer.tokens] == [("a ", -0.5), ("door", -0.25)]
    assert answer.tokens[0].alternatives == (("x", -3.0),)
    assert (answer.prompt_tokens, answer.completion_tokens) == (135, 2)
    assert server.asked[0].body["stream_options"] == {"include_usage": True}


def test_the_time_to_the_first_token_is_told_from_the_rest() -> None:
    slow = (STREAM, piece(""), 0.2, piece("a "), 0.1, piece("door", "stop"), DONE)
    stages = dict(_served(slow)[0].stages)
    assert list(stages) == ["first_token", "decode"]
    assert stages["first_token"] >= 0.19
    assert 0.09 <= stages["decode"] < stages["first_token"] + 1.0


def test_a_servers_own_figures_go_before_ours() -> None:
    timings = {"prompt_ms": 30.0, "predicted_ms": 5.0}
    last = event({"choices": [], "timings": timings})
    stages = _served((STREAM, piece("WAIT", "stop"), 0.1, last, DONE))[0].stages
    assert stages[:2] == (("prefill", 0.03), ("decode", 0.005))
    assert [name for name, _ in stages] == ["prefill", "decode", "transfer"]


def test_tries_that_came_to_nothing_are_a_stage_of_their_own() -> None:
    answer, _ = _served(http(503, b""), WHOLE)
    assert answer.stages[0][0] == "retries"
    assert answer.stages[0][1] >= 0.01


@pytest.mark.parametrize(
    "trouble",
    [
        (STREAM, piece("a ")),
        (STREAM, piece("a "), DONE),
        (STREAM, piece("a"), event({"error": {"message": "engine died", "code": 500}}), DONE),
        (STREAM, piece("a"), event({"error": "engine died"}), DONE),
        (STREAM, piece("a", "abort"), DONE),
        (b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 999\r\n\r\nda",),
    ],
    ids=["dropped", "no end", "died", "died, in a word", "aborted", "cut short"],
)
def test_what_breaks_off_is_asked_again_and_nothing_is_said_twice(trouble: Answer) -> None:
    answer, server = _served(trouble, WHOLE)
    assert answer.text == "a door"
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("trouble", "kind", "says"),
    [
        (b"data: {]\n\n", EngineAnswerError, "not a piece"),
        (b"data: [1]\n\n", EngineAnswerError, "not a piece"),
        (event({"choices": [{"delta": {"content": 5}}]}), EngineAnswerError, "not a piece"),
        (event({"choices": [{"finish_reason": 5}]}), EngineAnswerError, "not a piece"),
        (piece("a", logprobs={"content": [{"token": 1}]}), EngineAnswerError, "not a piece"),
        (
            event({"error": {"message": "too long", "code": 400}}),
            EngineRefusedError,
            "HTTP 400: too long",
        ),
    ],
)
def test_garbage_and_refusals_in_a_stream_are_final(
    trouble: bytes, kind: type[EngineError], says: str
) -> None:
    async def run() -> int:
        async with serving((STREAM, piece(""), trouble)) as server:
            with pytest.raises(kind, match=says):
                await _ask(server)
            return len(server.asked)

    assert asyncio.run(run()) == 1


def test_an_empty_answer_is_one_and_an_absent_one_is_not() -> None:
    assert _served((STREAM, piece(""), piece(None, "stop"), DONE))[0].text == ""
    with pytest.raises(EngineAnswerError, match="without text"):
        _served((STREAM, piece(None, "stop"), DONE))


def test_a_model_that_only_thinks_is_told_from_one_that_says_nothing() -> None:
    thinks = {"choices": [{"index": 0, "delta": {"reasoning_content": "hm"}}]}
    with pytest.raises(EngineAnswerError, match="turn its thinking off"):
        _served((STREAM, event(thinks), piece(None, "length"), DONE))


def test_a_stream_without_an_end_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_engine, "LARGEST_ANSWER", 1000)
    with pytest.raises(EngineAnswerError, match="without an end"):
        _served((STREAM, *[piece("a " * 40)] * 20, None))


def test_leaving_closes_the_stream_in_the_middle_of_an_answer() -> None:
    async def run() -> None:
        async with serving((STREAM, piece("a "), None)) as server:
            async with asyncio.timeout(60.0):
                async with asyncio.TaskGroup() as group:
                    asked = group.create_task(_ask(server, deadline_s=60.0))
                    await server.came.wait()
                    asked.cancel()
                await server.left.wait()

    asyncio.run(run())


def test_one_deadline_covers_all_tries() -> None:
    """Refused for a moment, broken off, then hanging in the middle of an answer."""

    async def run() -> tuple[float, int]:
        loop = asyncio.get_running_loop()
        script = (
            http(429, b"{}", "retry-after: 0.1"),
            (STREAM, piece("a ")),
            (STREAM, piece("a "), None),
        )
        async with serving(*script) as server:
            begun = loop.time()
            with pytest.raises(EngineBusyError, match="broke off"):
                await _ask(server, deadline_s=2.0)
            return loop.time() - begun, len(server.asked)

    took, tries = asyncio.run(run())
    assert 2.0 <= took < 10.0
    assert tries == 3


def test_without_streaming_the_answer_is_the_same() -> None:
    async def run() -> tuple[Generated, ChatServer]:
        async with (
            serving(http(200, completion())) as server,
            OpenAIEngine(server.url, "tiny", stream=False) as engine,
        ):
            return await engine.generate(ASK, Sampling(8), deadline_s=5.0), server

    answer, server = asyncio.run(run())
    assert replace(answer, stages=()) == Generated("a door opens", (), "stop", 7, 3)
    assert server.asked[0].body["stream"] is False
    assert "stream_options" not in server.asked[0].body
