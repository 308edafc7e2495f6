"""``WS /v1/streams/{stream}/events``: a viewer is told what is said, from where it left off."""

from __future__ import annotations

import asyncio
import logging
from typing import NoReturn

from service.eventlog.log import StreamLog
from service.peer import Peer
from service.station import Station
from service.streams import Stream, check_name
from strad.errors import OverloadedError, PeerGoneError, ProtocolError, StradError, cause_of
from strad.wire.answering import Error
from strad.wire.message import name_of
from strad.wire.viewing import End, ViewerHello

logger = logging.getLogger(__name__)

MOST_REFUSED = 20
"""Refused messages after which a viewer is taken for broken."""


async def subscribe(peer: Peer, name: str, station: Station, after: int, log: str | None) -> None:
    """Serve one viewer. ``after``: the newest number it has, of the log called ``log``."""
    try:
        check_name(name)
        async with station.streams.viewing(name) as stream:
            await Viewing(peer, stream, station.settings.limits.stall).run(after, log)
    except StradError as error:
        logger.info("stream %.80a: a viewer leaves: %s", name, error.code)
        await peer.close(error)


class Viewing:
    """One viewer's place in a stream's log."""

    def __init__(self, peer: Peer, stream: Stream, stall: float) -> None:
        self._peer = peer
        self._stream = stream
        self._stall = stall

    async def run(self, after: int, log: str | None) -> None:
        """Until the stream has ended or the viewer is gone. Raises what the viewer did wrong."""
        stream = self._stream
        resumed = log == stream.log.name and after <= stream.log.last
        place = after if resumed or log is None else 0
        try:
            async with asyncio.TaskGroup() as tasks:
                listening = tasks.create_task(self._listen())
                await self._send(self._hello(stream.log))
                await self._tell(min(place, stream.log.last))
                listening.cancel()
        except BaseExceptionGroup as group:
            raise cause_of(group) from None
        await self._peer.close(stream.failure)

    async def _tell(self, place: int) -> None:
        log = self._stream.log
        while not (self._stream.over and place >= log.last):
            if not await log.wait(place):
                return
            for entry in await log.read(place):
                await self._send(entry.json)
                place = entry.seq
                if isinstance(entry.message, End):
                    return

    async def _listen(self) -> NoReturn:
        """A viewer has nothing to say in this version; it may leave."""
        for _ in range(MOST_REFUSED):
            message = await self._peer.receive(limit=None)
            if message is None:
                raise PeerGoneError("the viewer left")
            name = name_of(message) if isinstance(message, str) else None
            refusal = ProtocolError("viewers have nothing to say in this version")
            await self._send(Error.of(refusal, answers=name, fatal=False).to_json())
        raise ProtocolError("too many messages that mean nothing here")

    async def _send(self, json: str) -> None:
        try:
            await self._peer.send(json, self._stall)
        except TimeoutError:
            raise OverloadedError(
                f"took nothing for {self._stall:g} s; come back for the rest"
            ) from None

    def _hello(self, log: StreamLog) -> str:
        stream = self._stream
        return ViewerHello(
            stream=stream.name,
            log=log.name,
            state=stream.state,
            last=log.last,
            about=stream.about,
        ).to_json()
