"""A real HTTP server that speaks OpenAI's chat completions and answers from what it is shown.

It decodes the pictures, reads them with ``eyes`` and the text with ``asked``, and refuses with 400
what lacks something the task needs. As ``vllm`` it also keeps to regular expressions, tells
log-probabilities and takes videos.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from jsonschema import Draft202012Validator

from tests.seeing.asked import Asked, UnreadableError, read
from tests.seeing.mind import TASKS, Answer, LackingError
from tests.strad_engines.chat_server import Request, http, read_request

MODEL = "seeing"


@dataclass(slots=True)
class SeeingServer:
    """What it was asked, what it refused, and how it answers."""

    tasks: Mapping[str, Answer]
    expects: Callable[[Asked], None]
    """Raises LackingError for what this film's requests should hold and don't."""
    kind: Literal["other", "vllm"]
    takes: frozenset[str]
    """As ``vllm``: of ``image`` and ``video``, what it can be shown."""
    takes_s: float = 0.0
    """Seconds before each answer."""
    keeps: bool = True
    """Whether it holds answers to a schema; if not, it refuses to."""
    held: list[bool] = field(default_factory=list)
    """Of each request: whether a schema came along."""
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    open: int = 0
    """Connections that there are."""
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether there is none."""

    @property
    def tasks_asked(self) -> list[str]:
        """The tasks of all requests, in order."""
        return [asked.task for asked in self.asked]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.open += 1
        self.idle.clear()
        try:
            while request := await read_request(reader):
                writer.write(await self._answer(request))
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()
            self.open -= 1
            if not self.open:
                self.idle.set()

    async def _answer(self, request: Request) -> bytes:
        match request.path:
            case "/v1/models":
                owner = "vllm" if self.kind == "vllm" else "tests"
                card = {"id": MODEL, "owned_by": owner, "max_model_len": 16_384}
                return _json(200, {"data": [card]})
            case "/health" | "/version" if self.kind == "vllm":
                return _json(200, {"version": "0.32.0"})
            case "/tokenize" if self.kind == "vllm":
                return self._tokens(request.body)
            case "/v1/chat/completions":
                await asyncio.sleep(self.takes_s)
                return await asyncio.to_thread(self._completion, request.body)
            case _:
                return _json(404, {})

    def _tokens(self, body: dict[str, Any]) -> bytes:
        text = json.dumps(body["messages"])
        shown = {kind for kind in ("image", "video") if f'"{kind}_url"' in text}
        if shown - self.takes or "input_audio" in text:
            return _json(400, {"error": {"message": "not with this model"}})
        return _json(200, {"count": tokens(body), "max_model_len": 16_384, "tokens": []})

    def _completion(self, body: dict[str, Any]) -> bytes:
        self.held.append(_schema(body) is not None)
        if self.held[-1] and not self.keeps:
            return _json(400, {"error": {"message": "response_format is not known here"}})
        try:
            said = self._said(body)
        except (LackingError, UnreadableError) as error:
            self.refused.append(str(error))
            return _json(400, {"error": {"message": str(error)}})
        self.answers.append(said)
        choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": said}}
        if body.get("logprobs") and self.kind == "vllm":
            choice["logprobs"] = {"content": [_sure(said)]}
        usage = {"prompt_tokens": tokens(body), "completion_tokens": -(-len(said) // 4)}
        return _json(200, {"choices": [{**choice, "finish_reason": "stop"}], "usage": usage})

    def _said(self, body: dict[str, Any]) -> str:
        asked = read(body)
        if body.get("model") != MODEL or asked.task not in self.tasks:
            raise LackingError(f"no model and task that are here: {asked.task!r}")
        self.asked.append(asked)
        self.expects(asked)
        said = self.tasks[asked.task](asked)
        self._must_keep(said, body)
        return said

    def _must_keep(self, said: str, body: dict[str, Any]) -> None:
        """Whoever asks for a form that no right answer has is told so."""
        regex = (body.get("structured_outputs") or {}).get("regex")
        if regex is not None and not re.fullmatch(regex, said):
            raise LackingError(f"a form that allows {said!r}: {regex}")
        schema = _schema(body)
        if schema is not None and not Draft202012Validator(schema).is_valid(json.loads(said)):
            raise LackingError(f"a schema that allows {said!r}: {schema}")


def tokens(body: dict[str, Any]) -> int:
    """About how many a prompt is: four letters each, and 64 a picture."""
    asked = read(body)
    return len(asked.system + asked.text) // 4 + 64 * len(asked.pictures)


def _schema(body: dict[str, Any]) -> dict[str, Any] | None:
    """What the answer must be, as vLLM is told or as OpenAI has it."""
    told = (body.get("structured_outputs") or {}).get("json")
    form = (body.get("response_format") or {}).get("json_schema") or {}
    return told or form.get("schema")


def _sure(said: str) -> dict[str, Any]:
    """The first token of an answer, nine times as likely as the other word."""
    first = said.split()[0] if said else ""
    other = {"AD": "WAIT", "WAIT": "AD"}.get(first, "?")
    listed = [{"token": first, "logprob": -0.105}, {"token": other, "logprob": -2.303}]
    return {"token": first, "logprob": -0.105, "top_logprobs": listed}


def _json(status: int, document: object) -> bytes:
    return http(status, json.dumps(document).encode())


def _anything(_: Asked) -> None:
    """Nothing more is expected."""


@asynccontextmanager
async def seeing(
    tasks: Mapping[str, Answer] | None = None,
    *,
    expects: Callable[[Asked], None] = _anything,
    kind: Literal["other", "vllm"] = "other",
    takes: frozenset[str] = frozenset({"image"}),
    takes_s: float = 0.0,
    keeps: bool = True,
) -> AsyncIterator[SeeingServer]:
    """The endpoint, on loopback; ``tasks`` in addition to those of the stream."""
    server = SeeingServer({**TASKS, **(tasks or {})}, expects, kind, takes, takes_s, keeps)
    running = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}/v1"
    try:
        yield server
    finally:
        running.close()
        if server.open:
            async with asyncio.timeout(5):
                await server.idle.wait()


@contextmanager
def seeing_thread(
    tasks: Mapping[str, Answer] | None = None,
    *,
    expects: Callable[[Asked], None] = _anything,
    kind: Literal["other", "vllm"] = "other",
    takes: frozenset[str] = frozenset({"image"}),
) -> Iterator[SeeingServer]:
    """The same in a thread of its own, for commands that run their own event loop."""
    started: list[SeeingServer] = []
    ready, stop = threading.Event(), threading.Event()

    async def serve() -> None:
        async with seeing(tasks, expects=expects, kind=kind, takes=takes) as server:
            started.append(server)
            ready.set()
            await asyncio.to_thread(stop.wait, 300)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(20)
        yield started[0]
    finally:
        stop.set()
        thread.join(20)
