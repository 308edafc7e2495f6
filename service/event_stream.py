"""Server-Sent Events: a stream's events for whoever has HTTP only.

As https://html.spec.whatwg.org/multipage/server-sent-events.html has it: an event's ``id`` comes
back as ``Last-Event-ID`` when the client connects again, and a 204 tells it to stop trying.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, NoReturn

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from service.connections import keep_open
from service.security.guests import Guests
from service.stream import Stream
from service.streams import Streams
from service.viewing import Viewing
from strad.errors import ExpiredError, OverloadedError, PeerGoneError, StradError
from strad.wire.asking import Wishes

logger = logging.getLogger(__name__)

HEARTBEAT = 15.0
"""Wall seconds without an event after which a comment shows that the connection lives."""

RETRY = 2_000
"""Milliseconds after which a client that lost the connection comes back."""

GIVEN_UP = 5.0
"""Wall seconds for the server to notice that a connection was cut off."""

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
"""The last asks nginx to pass events on as they come."""


class Place(NamedTuple):
    """Message number ``after`` of the log called ``log``; the latter may be unknown."""

    after: int
    log: str | None

    @classmethod
    def of(cls, last_event_id: str) -> Place | None:
        """From ``LOG:SEQ``; None for what we never sent."""
        log, colon, seq = last_event_id.rpartition(":")
        if not colon or not log or not (seq.isascii() and seq.isdigit()) or len(seq) > 16:
            return None
        return cls(int(seq), log)


class EventStream(Response):
    """Tells one viewer, from ``place``, what it wishes. Refuses with an error before it begins."""

    media_type = "text/event-stream"

    def __init__(
        self,
        streams: Streams,
        name: str,
        place: Place,
        wishes: Wishes,
        *,
        stall: float,
        guests: Guests,
        holds: Callable[[], bool],
        audio: bool = False,
    ) -> None:
        super().__init__()
        self._audio = audio
        self._guests = guests
        self._streams = streams
        self._name = name
        self._place = place
        self._wishes = wishes
        self._stall = stall
        self._holds = holds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._streams.viewing(self._name) as stream:
            if _has_all(stream, self._place):
                await Response(status_code=204)(scope, receive, send)
                return
            connection = keep_open(scope)
            outlet = EventOutlet(send, stream.log.name, self._stall, self._holds)
            try:
                with self._guests.staying(self._holds, outlet.wake):
                    await self._tell(stream, outlet, receive)
            except StradError as error:
                logger.info("stream %.80a: a viewer leaves: %s", self._name, error.code)
                connection.give_up()
                with suppress(TimeoutError):
                    async with asyncio.timeout(GIVEN_UP):
                        await _gone(receive)

    async def _tell(self, stream: Stream, outlet: EventOutlet, receive: Receive) -> None:
        await outlet.begin()
        viewing = Viewing(stream, outlet, self._wishes, audio=self._audio)

        async def beside() -> NoReturn:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(outlet.keep_alive())
                await _gone(receive)
                raise PeerGoneError("the viewer left")

        await viewing.run(self._place.after, self._place.log, beside)
        await outlet.end()


class EventOutlet:
    """Writes events. ``stall``: wall seconds the viewer may take nothing."""

    def __init__(self, send: Send, log: str, stall: float, holds: Callable[[], bool]) -> None:
        self._send = send
        self._log = log
        self._stall = stall
        self._holds = holds
        self._written = 0.0
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Look now whether what the viewer came with holds."""
        self._woken.set()

    async def begin(self) -> None:
        await self._write({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await self._put(f"retry: {RETRY}\n\n")

    async def send(self, json: str, seq: int | None = None) -> None:
        """One event. Our JSON has no line breaks: they are escaped in it."""
        name = "" if seq is None else f"id: {self._log}:{seq}\n"
        await self._put(f"{name}data: {json}\n\n")

    async def keep_alive(self) -> NoReturn:
        """A comment where there is nothing to tell. Raises ExpiredError, and as ``send``."""
        clock = asyncio.get_running_loop().time
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._written + HEARTBEAT):
                    await self._woken.wait()
            self._woken.clear()
            if not self._holds():
                raise ExpiredError("the credentials hold no longer")
            if clock() >= self._written + HEARTBEAT:
                await self._put(":\n\n")

    async def end(self) -> None:
        await self._write({"type": "http.response.body", "body": b"", "more_body": False})

    async def _put(self, text: str) -> None:
        await self._write({"type": "http.response.body", "body": text.encode(), "more_body": True})

    async def _write(self, message: Message) -> None:
        try:
            async with asyncio.timeout(self._stall):
                await self._send(message)
        except TimeoutError:
            raise OverloadedError(f"took nothing for {self._stall:g} s") from None
        except OSError:
            raise PeerGoneError("the connection is gone") from None
        self._written = asyncio.get_running_loop().time()


def _has_all(stream: Stream, place: Place) -> bool:
    """Whether the stream is over and this viewer has been told all of it."""
    return stream.over and place.log == stream.log.name and place.after >= stream.log.last


async def _gone(receive: Receive) -> None:
    """Return once the viewer has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
