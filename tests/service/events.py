"""A client of Server-Sent Events as the spec describes one, and no more: reads, keeps its place."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass(slots=True)
class Event:
    """One dispatched event."""

    data: str
    id: str

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.data)
        return message


@dataclass(slots=True)
class EventSource:
    """Follows https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6."""

    url: str
    last_event_id: str = ""
    retry: int | None = None
    comments: int = 0
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)

    @asynccontextmanager
    async def connect(self, client: httpx.AsyncClient) -> AsyncIterator[AsyncIterator[Event]]:
        headers = {"Accept": "text/event-stream"}
        if self.last_event_id:
            headers["Last-Event-ID"] = self.last_event_id
        async with client.stream("GET", self.url, headers=headers) as response:
            self.status, self.headers = response.status_code, dict(response.headers)
            yield self._events(response)

    async def _events(self, response: httpx.Response) -> AsyncIterator[Event]:
        data: list[str] = []
        pending = self.last_event_id
        async for line in response.aiter_lines():
            if line.startswith(":"):
                self.comments += 1
            elif line:
                name, _, value = line.partition(":")
                value = value.removeprefix(" ")
                match name:
                    case "data":
                        data.append(value)
                    case "id":
                        pending = value
                    case "retry":
                        self.retry = int(value)
            else:
                self.last_event_id = pending
                if data:
                    yield Event("\n".join(data), self.last_event_id)
                data = []
