"""A visit: one connection of a publisher, from its hello to its close code."""

from __future__ import annotations

import asyncio
import logging

from service.inlet import Inlet
from service.intake import Intake
from service.orders import Orders
from service.outbox import Outbox
from service.peer import Peer
from strad.errors import PeerGoneError, ProtocolError, StradError, cause_of
from strad.wire.answering import Answer, Error, Ready

logger = logging.getLogger(__name__)

ON_PURPOSE = 1000
"""The close code of a publisher that hangs up, rather than loses its connection."""

LAST_WORD = 1.0
"""Wall seconds to take the error that ends a connection."""


class Visit:
    """Receives and answers, until the publisher leaves or nothing more is to be said to it."""

    def __init__(self, peer: Peer, stream: str, silence: float) -> None:
        """``silence``: wall seconds without a message after which it is gone."""
        self._peer = peer
        self._stream = stream
        self._silence = silence
        self._outbox = Outbox()
        self.inlet = Inlet(patience=silence)
        self.welcome = False
        """Whether it was let in: it was told so."""
        self.gone = False
        """Whether the publisher left, fell silent, or takes no answers."""
        self.draining = False
        """Whether no more media is taken, so that it has nothing to say."""
        self.finished = False
        """Whether it was the one to say so."""
        self.over = asyncio.Event()
        """Set when the connection is closed."""
        self._error: StradError | None = None

    @property
    def address(self) -> str:
        """Where the publisher is, for the operator."""
        return self._peer.address

    def tell(self, answer: Answer) -> bool:
        """Say it, if there is room; whether there was."""
        self.welcome |= isinstance(answer, Ready)
        return self._outbox.put(answer)

    def end(self, error: StradError | None = None) -> None:
        """Take nothing more; when all is said, close, with ``error`` where there is one."""
        self.inlet.finish()
        if not self.over.is_set() and not self.gone:
            self._error = self._error or error
        self._outbox.close()

    async def run(self, orders: Orders, intake: Intake) -> None:
        """Until it is over. Raises what the publisher did wrong; it has been told then."""
        try:
            async with asyncio.TaskGroup() as tasks:
                receiving = tasks.create_task(self._receive(orders, intake))
                await self._answer()
                receiving.cancel()
        except BaseExceptionGroup as group:
            error = cause_of(group)
            if isinstance(error, StradError):
                self._error = error
            raise error from None
        finally:
            self.inlet.finish()
            await self._part()

    async def _receive(self, orders: Orders, intake: Intake) -> None:
        try:
            while (message := await self._peer.receive(self._silence)) is not None:
                if isinstance(message, str):
                    orders.obey(message)
                elif self.finished:
                    orders.refuse(ProtocolError("media after finish"), answers="media")
                else:
                    await self._take(message, orders, intake)
            logger.info("stream %s: its publisher left", self._stream)
            if self._peer.left_with == ON_PURPOSE:
                orders.finish()
        except PeerGoneError as silence:
            if self.draining:
                return
            logger.info("stream %s: its publisher fell silent", self._stream)
            self._error = self._error or silence
        self.gone = True
        self._outbox.close()

    async def _take(self, message: bytes, orders: Orders, intake: Intake) -> None:
        try:
            taken = intake(message)
        except ProtocolError as refused:
            orders.refuse(refused, answers="media")
        else:
            await self.inlet.push(taken)

    async def _answer(self) -> None:
        try:
            while (message := await self._outbox.take()) is not None:
                await self._peer.send(message.to_json(), self._silence)
        except (PeerGoneError, TimeoutError):
            logger.info("stream %s: its publisher takes no answers", self._stream)
            self.gone = True
            self._outbox.close()

    async def _part(self) -> None:
        """The error, where there is one, and the close code. A peer that is gone is fine."""
        try:
            if self._error is not None:
                await self._peer.send(Error.of(self._error).to_json(), LAST_WORD)
        except (PeerGoneError, TimeoutError):
            return
        finally:
            await self._peer.close(self._error)
            self.over.set()
