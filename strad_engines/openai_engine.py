"""An engine behind HTTP: any server that speaks OpenAI's chat completions (vLLM, llama.cpp, ...).

Within one deadline it asks again when the server is overloaded (429), failing (5xx) or out of
reach, waiting longer each time; never when the answer would be the same.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import httpx

from strad.errors import InputError
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineBusyError,
    EngineError,
    EngineRefusedError,
    EngineSlowError,
)
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.openai_wire import read_answer, read_complaint, request_body

LARGEST_ANSWER = 32 << 20
"""Bytes; what is longer is not an answer."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 8.0
CONNECT_S = 10.0
"""For one connection attempt."""


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
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        """``base_url`` as clients have it, with ``/v1``. ``extra`` members go into each request."""
        if key is not None and not (key.isascii() and key.isprintable() and key.split() == [key]):
            raise InputError("the engine's key is not one word of printable ASCII")
        self._url = _endpoint(base_url)
        self._model, self._key = model, key
        self._extra = dict(extra or {})
        self._first_pause_s = first_pause_s
        self._client: httpx.AsyncClient | None = None

    def __repr__(self) -> str:
        return f"OpenAIEngine({self._url}, {self._model})"

    async def __aenter__(self) -> OpenAIEngine:
        headers = {"content-type": "application/json"}
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key}"
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(None, connect=CONNECT_S),  # the deadline bounds the rest
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=32),
            trust_env=False,
        )
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
        body = request_body(self._model, messages, sampling, self._extra)
        last: list[EngineBusyError] = []
        try:
            async with asyncio.timeout(deadline_s):
                return await self._until_answered(body, last)
        except TimeoutError:
            if last:
                raise last[-1] from None
            late = f"{self._model} at {self._url}: no answer in {deadline_s:g} s"
            raise EngineSlowError(late) from None

    async def _until_answered(self, body: bytes, last: list[EngineBusyError]) -> Generated:
        """Ask until it answers or refuses; ``last`` holds why it was asked again."""
        pause = self._first_pause_s
        while True:
            try:
                status, headers, data = await self._post(body)
            except (httpx.TransportError, OSError) as error:
                last[:] = [EngineBusyError(f"{self._url} can't be reached: {_why(error)}")]
                asked = None
            else:
                if status == 200:
                    return read_answer(data)
                last[:] = [self._busy(status, data)]
                asked = headers.get("retry-after")
            await asyncio.sleep(max(pause, _seconds(asked)))
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _post(self, body: bytes) -> tuple[int, httpx.Headers, bytes]:
        if self._client is None:
            raise EngineError("the engine is not open: use it in an async with block")
        async with self._client.stream("POST", self._url, content=body) as response:
            data = bytearray()
            try:
                async for block in response.aiter_bytes():
                    data += block
                    if len(data) > LARGEST_ANSWER:
                        raise EngineAnswerError(f"{self._url}: an answer without an end")
            except httpx.DecodingError as error:
                raise EngineAnswerError(f"{self._url}: {_why(error)}") from None
            return response.status_code, response.headers, bytes(data)

    def _busy(self, status: int, data: bytes) -> EngineBusyError:
        """The error for what may pass. Raises EngineRefusedError for what will not."""
        said = read_complaint(data)
        if self._key:
            said = said.replace(self._key, "[key]")
        what = f"{self._model} at {self._url}: HTTP {status}: {said}"
        if status in (408, 425, 429) or status >= 500:
            return EngineBusyError(what)
        raise EngineRefusedError(what)


def _endpoint(base_url: str) -> str:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise InputError(f"not a URL: {error}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(f"want http:// or https:// and a host: {base_url!r}")
    if url.userinfo or url.query or url.fragment:
        raise InputError("the engine's URL may hold no password, query or fragment")
    return str(url).rstrip("/") + "/chat/completions"


def _seconds(asked: str | None) -> float:
    """A Retry-After in seconds, as far as it is one."""
    try:
        return min(max(0.0, float(asked or 0)), 3600.0)
    except ValueError:
        return 0.0


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__
