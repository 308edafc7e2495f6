"""The attendance: which connection of its publisher a stream has at the moment, if any."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

from service.equipment import OpenMedia
from service.feed import Feed
from service.orders import Orders
from service.plan import Plan
from service.reel import Reel, Spool
from service.visit import Visit
from strad.errors import NotOwnedError, ProtocolError, StradError
from strad.timeline import Ms, from_seconds, to_seconds
from strad.wire.answering import Answer
from strad.wire.publishing import Hello
from streaming.media import Media

LONGEST_GAP: Ms = 600_000
"""Media of a resumed stream begins at most this much after where the stream stands."""

FAREWELL = 5.0
"""Wall seconds the connection has to take the stream's end."""


class Attendance:
    """One connection at a time; the newest counts."""

    def __init__(self, reel: Reel, feed: Feed, plan: Plan, decode: OpenMedia) -> None:
        self._reel = reel
        self._feed = feed
        self._plan = plan
        self._decode = decode
        self._visit: Visit | None = None
        self._orders: Orders | None = None

    @property
    def excused(self) -> bool:
        """Whether nobody should expect media now: the player is paused, or nobody is there."""
        return (
            self._visit is None or self._visit.gone or self._orders is None or self._orders.paused
        )

    @property
    def sent(self) -> Ms | None:
        """The sender's clock, where it tells it."""
        return self._orders.sent if self._orders is not None else None

    @property
    def waiting(self) -> int:
        """Bytes that wait for the decoder."""
        return self._visit.inlet.waiting if self._visit is not None else 0

    def is_here(self, visit: Visit) -> bool:
        """Whether this is the connection that counts."""
        return self._visit is visit

    def begins(self, hello: Hello) -> Ms:
        """The stream time of the media to come. Raises ProtocolError."""
        edge = self._reel.live_edge
        begins = edge if hello.at is None else from_seconds(hello.at)
        if begins > edge + LONGEST_GAP:
            raise ProtocolError(
                f"hello.at: at most {LONGEST_GAP / 1000:g} s after {to_seconds(edge):g} s, "
                "where the stream stands"
            )
        return begins

    def welcome(self, visit: Visit, hello: Hello, finish: Callable[[], None]) -> Orders:
        """From now on this connection is the publisher's; an earlier one is closed."""
        earlier, self._visit = self._visit, visit
        if earlier is not None:
            earlier.end(NotOwnedError("another connection goes on with this stream"))
        captions = self._plan.captions
        self._orders = Orders(self._feed, visit.tell, captions=captions, finish=finish)
        self._reel.put(self._spool(visit, hello))
        return self._orders

    def tell(self, answer: Answer) -> None:
        """To the publisher, where there is one."""
        if self._visit is not None:
            self._visit.tell(answer)

    def no_more_media(self, *, said: bool) -> None:
        """What has come is decoded; what else comes is dropped, and refused where ``said`` so."""
        self._reel.finish()
        if self._visit is not None:
            self._visit.draining, self._visit.finished = True, said
            self._visit.inlet.finish()

    async def end(self, error: StradError | None) -> None:
        """The stream is over: say so, and wait a moment for it to be taken."""
        if self._visit is None:
            return
        self._visit.end(error)
        try:
            async with asyncio.timeout(FAREWELL):
                await self._visit.over.wait()
        except TimeoutError:
            return

    def _spool(self, visit: Visit, hello: Hello) -> Spool:
        def opened(begins: Ms) -> AbstractAsyncContextManager[AsyncIterator[Media]]:
            return self._decode(hello.container, visit.inlet.chunks(), begins)

        def outlived(error: StradError) -> bool:
            """What a lost connection leaves half sent is no error; nor is a return that fails."""
            if hello.resume is not None and not spool.decoded and not visit.gone:
                visit.end(error)
                visit.gone = True
            return visit.gone

        spool = Spool(opened, None if hello.at is None else from_seconds(hello.at), outlived)
        visit.inlet.on_finish = spool.end
        return spool
