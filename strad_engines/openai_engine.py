"""An engine behind HTTP: any server that speaks OpenAI's chat completions (vLLM, llama.cpp, ...).

Within one deadline it asks again when the server is overloaded (429), failing (5xx), out of reach
or breaks off, waiting longer each time; never when the answer would be the same. Answers are
streamed: that tells the time to the first token, and a server that nobody waits any more.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any

import httpx

from strad_engines.dialects import members
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineBusyError,
    EngineError,
    EngineRefusedError,
    EngineSlowError,
)
from strad_engines.event_stream import EventStream
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.openai_wire import read_answer, read_complaint, request_body
from strad_engines.server_address import ServerAddress, why
from strad_engines.server_facts import ServerFacts
from strad_engines.streamed_answer import StreamedAnswer

LARGEST_ANSWER = 32 << 20
"""Bytes; what is longer is not an answer."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 8.0


class _AgainError(EngineBusyError):
    """May pass; the server asked to be left alone for ``after_s``."""

    def __init__(self, what: str, after_s: float = 0.0) -> None:
        super().__init__(what)
        self.after_s = after_s


class OpenAIEngine:
    """One model of one server. Use as an async context manager.

    The key comes from the argument and nowhere else, goes to ``base_url`` alone, and is in no
    message, log or ``repr``. No proxy, no redirect, nothing from the environment.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key: str | None = None,
        extra: Mapping[str, Any] | None = None,
        facts: ServerFacts | None = None,
        stream: bool = True,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        """``base_url`` as clients have it, with ``/v1``. ``extra`` members go into each request.

        ``facts`` as ``ask_server`` found them; without, only OpenAI's own members are used.
        """
        self._address = ServerAddress.of(base_url, key)
        self._url = self._address.base_url + "/chat/completions"
        self._model, self._stream = model, stream
        self._extra = dict(extra or {})
        self._facts = facts or ServerFacts()
        self._first_pause_s = first_pause_s
        self._client: httpx.AsyncClient | None = None

    def __repr__(self) -> str:
        return f"OpenAIEngine({self._url}, {self._model})"

    async def __aenter__(self) -> OpenAIEngine:
        self._client = self._address.client()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    @property
    def name(self) -> str:
        """The model, and the members that go into each request, if any."""
        extra = json.dumps(self._extra, sort_keys=True)
        return f"{self._model} {extra}" if self._extra else self._model

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """The server's answer. See ``ChatEngine``."""
        said = {**members(messages, sampling, self._facts), **self._extra}
        body = request_body(self._model, messages, sampling, said, stream=self._stream)
        last: list[_AgainError] = []
        try:
            async with asyncio.timeout(deadline_s):
                return await self._until_answered(body, last)
        except TimeoutError:
            if last:
                raise EngineBusyError(str(last[-1])) from None
            late = f"{self._model} at {self._url}: no answer in {deadline_s:g} s"
            raise EngineSlowError(late) from None

    async def _until_answered(self, body: bytes, last: list[_AgainError]) -> Generated:
        """Ask until it answers or refuses; ``last`` holds why it was asked again.

        Nothing is lost by asking again: no piece of an answer has gone to anybody.
        """
        loop = asyncio.get_running_loop()
        pause, begun = self._first_pause_s, loop.time()
        while True:
            sent = loop.time()
            try:
                found = await self._ask(body, sent)
            except _AgainError as error:
                last[:] = [error]
                await asyncio.sleep(max(pause, error.after_s))
                pause = min(2 * pause, LONGEST_PAUSE_S)
            else:
                lost = (("retries", sent - begun),) if last else ()
                return replace(found, stages=lost + found.stages)

    async def _ask(self, body: bytes, sent: float) -> Generated:
        """One try. Raises _AgainError for what may pass, else what is final."""
        if self._client is None:
            raise EngineError("the engine is not open: use it in an async with block")
        try:
            async with self._client.stream("POST", self._url, content=body) as response:
                kind = response.headers.get("content-type", "")
                if response.status_code == 200 and kind.startswith("text/event-stream"):
                    return await self._streamed(response, sent)
                data = await self._whole(response)
        except httpx.DecodingError as error:
            raise EngineAnswerError(f"{self._url}: {why(error)}") from None
        except (httpx.TransportError, OSError) as error:
            raise _AgainError(f"{self._url} can't be reached: {why(error)}") from None
        if response.status_code == 200:
            return read_answer(data)
        raise self._busy(response.status_code, data, response.headers.get("retry-after"))

    async def _streamed(self, response: httpx.Response, sent: float) -> Generated:
        loop = asyncio.get_running_loop()
        events, answer, size = EventStream(), StreamedAnswer(sent), 0
        async for block in response.aiter_bytes():
            size += len(block)
            self._bound(size)
            for data in events.feed(block):
                answer.add(data, loop.time())
                if answer.trouble is not None:
                    raise self._busy(*answer.trouble, None)
        if not answer.finished:
            raise _AgainError(f"{self._model} at {self._url}: the answer broke off")
        return answer.answer()

    async def _whole(self, response: httpx.Response) -> bytes:
        data = bytearray()
        async for block in response.aiter_bytes():
            data += block
            self._bound(len(data))
        return bytes(data)

    def _bound(self, size: int) -> None:
        if size > LARGEST_ANSWER:
            raise EngineAnswerError(f"{self._url}: an answer without an end")

    def _busy(self, status: int, data: bytes, asked: str | None) -> _AgainError:
        """The error for what may pass. Raises EngineRefusedError for what will not."""
        said = self._address.without_key(read_complaint(data))
        what = f"{self._model} at {self._url}: HTTP {status}: {said}"
        if status in (408, 425, 429) or status >= 500:
            return _AgainError(what, _seconds(asked))
        raise EngineRefusedError(what)


def _seconds(asked: str | None) -> float:
    """A Retry-After in seconds, as far as it is one."""
    try:
        return min(max(0.0, float(asked or 0)), 3600.0)
    except ValueError:
        return 0.0
