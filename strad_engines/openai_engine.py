"""An engine behind HTTP: any server that speaks OpenAI's chat completions (vLLM, llama.cpp, ...).

Within one deadline it asks again when the server is overloaded (429), failing (5xx), out of reach
or breaks off, waiting longer each time; never when the answer would be the same. Answers are
streamed: that tells the time to the first token, and a server that nobody waits any more.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
    EngineTooLongError,
)
from strad_engines.event_stream import EventStream
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.openai_wire import read_answer, read_complaint, request_body
from strad_engines.server_address import ServerAddress, why
from strad_engines.server_facts import ServerFacts
from strad_engines.streamed_answer import StreamedAnswer
from strad_engines.too_long import is_too_long, limit_said

logger = logging.getLogger(__name__)

LARGEST_ANSWER = 32 << 20
"""Bytes; what is longer is not an answer."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 8.0
WORTH_TELLING_S = 2.0
"""Of asking again without an answer, for the log."""


async def _as_before() -> None:
    """Nothing to see to."""


class _AgainError(EngineBusyError):
    """May pass; the server asked to be left alone for ``after_s``."""

    def __init__(self, what: str, after_s: float = 0.0, *, gone: bool = False) -> None:
        """``gone``: the connection failed; who is there next may be another."""
        super().__init__(what)
        self.after_s, self.gone = after_s, gone


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
        same: Callable[[], Awaitable[None]] = _as_before,
        stream: bool = True,
        first_pause_s: float = FIRST_PAUSE_S,
        telling_s: float = WORTH_TELLING_S,
    ) -> None:
        """``base_url`` as clients have it, with ``/v1``. ``extra`` members go into each request.

        ``facts`` as ``ask_server`` found them; without, only OpenAI's own members are used.
        ``same`` is called before a server that was out of reach is asked again; it raises
        EngineRefusedError where another model came back than the one that went.
        """
        self._address = ServerAddress.of(base_url, key)
        self._url = self._address.base_url + "/chat/completions"
        self._model, self._stream = model, stream
        self._extra = dict(extra or {})
        self._facts = facts or ServerFacts()
        self._same = same
        self._away = self._troubled = False
        self._first_pause_s, self._telling_s = first_pause_s, telling_s
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
        last: list[EngineBusyError] = []
        try:
            async with asyncio.timeout(deadline_s):
                return await self._until_answered(body, last)
        except TimeoutError:
            if last:
                raise EngineBusyError(str(last[-1])) from None
            late = f"{self._model} at {self._url}: no answer in {deadline_s:g} s"
            raise EngineSlowError(late) from None

    async def _until_answered(self, body: bytes, last: list[EngineBusyError]) -> Generated:
        """Ask until it answers or refuses; ``last`` holds why it was asked again.

        Nothing is lost by asking again: no piece of an answer has gone to anybody.
        """
        loop = asyncio.get_running_loop()
        pause, begun = self._first_pause_s, loop.time()
        while True:
            sent = loop.time()
            try:
                found = await self._ask_the_same(body, sent)
            except EngineBusyError as error:
                last[:] = [error]
                self._tell(error, loop.time() - begun)
                await asyncio.sleep(max(pause, _asked_for(error)))
                pause = min(2 * pause, LONGEST_PAUSE_S)
            else:
                self._troubled = False
                lost = (("retries", sent - begun),) if last else ()
                return replace(found, stages=lost + found.stages)

    async def _ask_the_same(self, body: bytes, sent: float) -> Generated:
        """One try, of the model that was there at first."""
        if self._away:
            await self._same()
            self._away = False
        try:
            return await self._ask(body, sent)
        except _AgainError as error:
            self._away = self._away or error.gone
            raise

    def _tell(self, error: EngineBusyError, since_s: float) -> None:
        """One line for a row of failures that lasts."""
        if since_s >= self._telling_s and not self._troubled:
            self._troubled = True
            logger.warning("no answer yet, asking again: %s", error)

    async def _ask(self, body: bytes, sent: float) -> Generated:
        """One try. Raises _AgainError for what may pass, else what is final."""
        if self._client is None:
            raise EngineError("the engine is not open: use it in an async with block")
        try:
            async with self._client.stream("POST", self._url, content=body) as response:
                kind = response.headers.get("content-type", "")
                if response.status_code == 200 and kind.startswith("text/event-stream"):
                    return await self._streamed(response, sent)
                data = await _whole(response)
        except httpx.DecodingError as error:
            raise EngineAnswerError(f"{self._url}: {why(error)}") from None
        except (httpx.TransportError, OSError) as error:
            raise _AgainError(f"{self._url} can't be reached: {why(error)}", gone=True) from None
        if response.status_code == 200:
            return read_answer(data)
        raise self._busy(response.status_code, data, response.headers.get("retry-after"))

    async def _streamed(self, response: httpx.Response, sent: float) -> Generated:
        loop = asyncio.get_running_loop()
        events, answer, size = EventStream(), StreamedAnswer(sent), 0
        async for block in response.aiter_bytes():
            size += len(block)
            _bound(size, self._url)
            for data in events.feed(block):
                answer.add(data, loop.time())
                if answer.trouble is not None:
                    raise self._busy(*answer.trouble, None)
        if not answer.finished:
            broke = f"{self._model} at {self._url}: the answer broke off"
            raise _AgainError(broke, gone=True)
        return answer.answer()

    def _busy(self, status: int, data: bytes, asked: str | None) -> _AgainError:
        """The error for what may pass. Raises EngineRefusedError for what will not."""
        said = self._address.without_key(read_complaint(data))
        what = f"{self._model} at {self._url}: HTTP {status}: {said}"
        if is_too_long(status, data):
            raise EngineTooLongError(what, limit_said(data))
        if status in (408, 425, 429) or status >= 500:
            return _AgainError(what, _seconds(asked))
        raise EngineRefusedError(what)


async def _whole(response: httpx.Response) -> bytes:
    data = bytearray()
    async for block in response.aiter_bytes():
        data += block
        _bound(len(data), str(response.url))
    return bytes(data)


def _bound(size: int, url: str) -> None:
    if size > LARGEST_ANSWER:
        raise EngineAnswerError(f"{url}: an answer without an end")


def _asked_for(error: EngineBusyError) -> float:
    """Seconds that the server wants to be left alone."""
    return error.after_s if isinstance(error, _AgainError) else 0.0


def _seconds(asked: str | None) -> float:
    """A Retry-After in seconds, as far as it is one."""
    try:
        return min(max(0.0, float(asked or 0)), 3600.0)
    except ValueError:
        return 0.0
