"""Short questions to a server beside its chat: one try, a bounded answer, errors in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from strad_engines.engine_errors import EngineAnswerError, EngineBusyError, EngineRefusedError
from strad_engines.openai_wire import read_complaint
from strad_engines.server_address import ServerAddress, why

T = TypeVar("T")

LARGEST_REPLY = 4 << 20
"""Bytes."""


@dataclass(frozen=True, slots=True)
class ServerTalk:
    """A server and the client that reaches it. The caller bounds the time."""

    address: ServerAddress
    client: httpx.AsyncClient

    async def ask(self, url: str, body: Mapping[str, Any] | None = None) -> tuple[int, bytes]:
        """GET, or POST a body: status and answer.

        Raises EngineBusyError where it is out of reach, EngineAnswerError for an endless answer.
        """
        method, content = ("GET", None) if body is None else ("POST", json.dumps(body).encode())
        data = bytearray()
        try:
            async with self.client.stream(method, url, content=content) as response:
                async for block in response.aiter_bytes():
                    data += block
                    if len(data) > LARGEST_REPLY:
                        raise EngineAnswerError(f"{url}: an answer without an end")
        except (httpx.TransportError, httpx.DecodingError, OSError) as error:
            raise EngineBusyError(f"{url} can't be reached: {why(error)}") from None
        return response.status_code, bytes(data)

    async def told(self, url: str) -> dict[str, Any]:
        """The JSON object there; an empty one where there is none."""
        status, data = await self.ask(url)
        try:
            told = json.loads(data) if status == 200 else None
        except (ValueError, RecursionError):
            told = None
        return told if isinstance(told, dict) else {}

    def must_be_fine(self, status: int, data: bytes, url: str) -> None:
        """Raise EngineRefusedError or EngineBusyError for every status but 200."""
        if status == 200:
            return
        said = self.address.without_key(read_complaint(data))
        if status in (401, 403):
            key = "the key is not the right one" if self.address.key else "it wants a key"
            raise EngineRefusedError(f"{url}: {key} (HTTP {status}: {said})")
        if status in (408, 425, 429) or status >= 500:
            raise EngineBusyError(f"{url}: not ready (HTTP {status}: {said})")
        raise EngineRefusedError(f"{url}: HTTP {status}: {said}")


def member(told: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
    """A member of the right type, else None."""
    found = told.get(name)
    if isinstance(found, bool) and kind is not bool:
        return None
    return found if isinstance(found, kind) else None
