"""``WS /v1/streams/{stream}/events``: a viewer is told what is said, from where it left off."""

from __future__ import annotations

import asyncio
import logging
from typing import NoReturn, assert_never

from service.allowance import Allowance
from service.flag_desk import FlagDesk
from service.inquiries import Inquiries
from service.peer import Peer
from service.security.caller import Caller
from service.security.gate import caller_on
from service.station import Station
from service.stream import Stream
from service.streams import check_name
from service.viewing import Viewing
from strad.errors import (
    OverloadedError,
    PeerGoneError,
    ProtocolError,
    RateLimitError,
    StradError,
)
from strad.wire.answering import Error
from strad.wire.asking import Ask, AskMissed, AskScene, Flag, Prefer, Wishes, parse_from_viewer
from strad.wire.message import name_of
from strad.wire.viewing import Flagged, Preferred, Reply

logger = logging.getLogger(__name__)

MOST_REFUSED = 20
"""Refused messages after which a viewer is taken for broken."""

AT_ONCE = 10
A_SECOND = 1.0
"""Requests of one viewer: so many at once, and then so many a wall second."""


async def subscribe(
    peer: Peer, name: str, station: Station, after: int, log: str | None, wishes: Wishes
) -> None:
    """Serve one viewer. ``after``: the newest number it has, of the log called ``log``."""
    try:
        check_name(name)
        async with station.streams.viewing(name) as stream:
            outlet = SocketOutlet(peer, station.settings.limits.stall)
            viewing = Viewing(stream, outlet, wishes, audio=station.settings.speech.on)
            inquiries = Inquiries(stream, station.library, viewing.preferences)
            listening = Listening(peer, outlet, viewing, inquiries, Flagging(stream, station.flags))
            await viewing.run(after, log, listening.run)
            await peer.close(stream.failure)
    except StradError as error:
        fields = {"stream": name[:80], "peer": peer.address, "code": error.code}
        logger.info("stream %.80a: a viewer leaves: %s", name, error.code, extra=fields)
        if not isinstance(error, PeerGoneError):
            station.metrics.refused.labels("subscribe", error.code).inc()
        await peer.close(error)


class SocketOutlet:
    """Tells a viewer through its WebSocket. ``stall``: wall seconds it may take nothing."""

    def __init__(self, peer: Peer, stall: float) -> None:
        self._peer = peer
        self._stall = stall

    async def send(self, json: str, seq: int | None = None) -> None:
        """Raises PeerGoneError, OverloadedError when the viewer takes nothing for too long."""
        del seq  # it is in the message
        try:
            await self._peer.send(json, self._stall)
        except TimeoutError:
            raise OverloadedError(
                f"took nothing for {self._stall:g} s; come back for the rest"
            ) from None


class Flagging:
    """Takes what one viewer of a stream found wrong."""

    def __init__(self, stream: Stream, desk: FlagDesk) -> None:
        self._stream = stream
        self._desk = desk

    async def take(self, flag: Flag, caller: Caller) -> Flagged:
        """Raises RateLimitError, NotFoundError, OverloadedError, LogError."""
        again = await self._desk.take(self._stream.log, flag.event, flag, caller)
        answers = flag.id or flag.type
        return Flagged(answers=answers, event=flag.event, kind=flag.kind, again=again)


class Listening:
    """Answers what one viewer asks; ends only with an error."""

    def __init__(
        self,
        peer: Peer,
        outlet: SocketOutlet,
        viewing: Viewing,
        inquiries: Inquiries,
        flagging: Flagging,
    ) -> None:
        self._peer = peer
        self._outlet = outlet
        self._viewing = viewing
        self._inquiries = inquiries
        self._flagging = flagging
        self._allowance = Allowance(AT_ONCE, A_SECOND)

    async def run(self) -> NoReturn:
        """Raises PeerGoneError when the viewer leaves, ProtocolError after too much nonsense."""
        refused = 0
        clock = asyncio.get_running_loop().time
        while refused < MOST_REFUSED:
            message = await self._peer.receive(limit=None)
            if message is None:
                raise PeerGoneError("the viewer left")
            try:
                if not self._allowance.take(clock()):
                    raise RateLimitError("too many requests: one a second")
                reply: Reply | Error = await self._answer(_read(message))
            except StradError as error:
                refused += 1
                named = name_of(message) if isinstance(message, str) else None
                reply = Error.of(error, answers=named, fatal=False)
            await self._outlet.send(reply.to_json())
        raise ProtocolError("too many messages that mean nothing here")

    async def _answer(self, ask: Ask) -> Reply:
        match ask:
            case Prefer():
                self._viewing.wish(Wishes(kinds=ask.kinds, form=ask.form, extras=ask.extras))
                wishes = dict(self._viewing.preferences.wishes)
                return Preferred(answers=ask.id or ask.type, **wishes)
            case AskMissed():
                return await self._inquiries.missed(ask)
            case AskScene():
                return await self._inquiries.scene(ask)
            case Flag():
                return await self._flagging.take(ask, caller_on(self._peer))
            case never:
                assert_never(never)


def _read(message: str | bytes) -> Ask:
    if isinstance(message, bytes):
        raise ProtocolError("viewers send no media")
    return parse_from_viewer(message)
