"""A publication: one publisher's socket and the broadcast it feeds, from ready to summary."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal, NoReturn

from service.broadcast import Broadcast
from service.equipment import Equipment
from service.inlet import Inlet
from service.orders import Orders
from service.outbox import Outbox
from service.peer import Peer
from service.plan import Plan
from service.settings import Limits
from service.streams import Stream
from strad.errors import PeerGoneError, ProtocolError, StradError, WorkError, cause_of
from strad.timeline import to_seconds
from strad.wire.answering import Draining, Ready, Summary, Warning
from strad.wire.viewing import StreamState

logger = logging.getLogger(__name__)

REPORT_EVERY = 0.5
"""Wall seconds between two looks at the progress."""

REPORT_AT_LEAST = 10.0
"""Wall seconds after which progress is told even though nothing moved."""

Why = Literal["finish", "shutdown", "gone"]


class Publication:
    """Lives as long as ``run``: receives, answers and reports beside the broadcast."""

    def __init__(
        self, peer: Peer, stream: Stream, plan: Plan, limits: Limits, equipment: Equipment
    ) -> None:
        self._peer = peer
        self._stream = stream
        self._plan = plan
        self._limits = limits
        self._inlet = Inlet(patience=limits.silence)
        self._outbox = Outbox()
        self._broadcast = Broadcast(stream, plan, equipment, self._inlet, self._outbox.put)
        self._orders = Orders(
            self._broadcast.feed,
            self._outbox,
            captions=plan.captions,
            finish=lambda: self.drain("finish"),
        )
        self._limit: asyncio.Timeout | None = None
        self._draining: Why | None = None
        self.silence: PeerGoneError | None = None
        """What there is to say about a publisher that fell silent."""

    async def run(self) -> None:
        """Until the stream has ended. Raises what ended it; the viewers have been told then."""
        error: StradError | None = WorkError("the service failed at work on this stream")
        summary: Summary | None = None
        try:
            summary = await self._work()
            error = None
        except BaseExceptionGroup as group:
            cause = cause_of(group)
            if not isinstance(cause, StradError):
                raise
            error = cause
        finally:
            try:
                await self._plan.aclose()
            finally:
                await self._stream.end(summary, error)
        if error is not None:
            raise error

    def drain(self, why: Why) -> None:
        """Take no more media; say the rest within the limit. The first reason counts."""
        if self._draining is not None:
            return
        self._draining = why
        self._inlet.finish()
        self._set_limit()
        if why != "gone":
            self._outbox.put(Draining(reason=why, limit=self._limits.drain))

    def _set_limit(self) -> None:
        if self._limit is not None and self._draining is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self._limits.drain)

    async def _work(self) -> Summary:
        async with asyncio.TaskGroup() as tasks:
            answering = tasks.create_task(self._answer())
            self._outbox.put(_ready(self._stream, self._plan, self._limits))
            await self._stream.move(StreamState.LIVE)
            helpers = [tasks.create_task(self._receive()), tasks.create_task(self._report())]
            summary = await self._describe()
            for helper in helpers:
                helper.cancel()
            await self._tell_draining()
            self._outbox.put(self._broadcast.progress(self._orders.sent))
            self._outbox.put(summary)
            self._outbox.close()
            await answering
        return summary

    async def _describe(self) -> Summary:
        try:
            async with asyncio.timeout(None) as self._limit:
                self._set_limit()
                return await self._broadcast.run()
        except TimeoutError:
            message = f"the rest was given up after {self._limits.drain:g} s"
            edge = to_seconds(self._broadcast.feed.live_edge)
            self._outbox.put(Warning(code="drain-limit", at=edge, message=message))
            return self._broadcast.so_far()
        finally:
            self._limit = None

    async def _receive(self) -> None:
        try:
            while (message := await self._peer.receive(self._limits.silence)) is not None:
                if isinstance(message, str):
                    self._orders.obey(message)
                elif self._draining == "finish":
                    self._orders.refuse(ProtocolError("media after finish"), answers="media")
                else:
                    await self._inlet.push(message)
        except PeerGoneError as silence:
            if self._draining is None:
                logger.info("stream %s: its publisher fell silent", self._stream.name)
                self.silence = silence
        self.drain("gone")

    async def _answer(self) -> None:
        try:
            while (message := await self._outbox.take()) is not None:
                await self._peer.send(message.to_json(), self._limits.silence)
        except (PeerGoneError, TimeoutError):
            logger.info("stream %s: its publisher takes no answers", self._stream.name)
            self._outbox.close()
            self.drain("gone")

    async def _report(self) -> NoReturn:
        clock = asyncio.get_running_loop().time
        reported, due = self._broadcast.progress(self._orders.sent), 0.0
        while True:
            progress = self._broadcast.progress(self._orders.sent)
            if progress != reported or clock() >= due:
                reported, due = progress, clock() + REPORT_AT_LEAST
                self._outbox.put(progress)
            if self._draining:
                await self._tell_draining()
            await asyncio.sleep(REPORT_EVERY)

    async def _tell_draining(self) -> None:
        if self._stream.state is StreamState.LIVE:
            await self._stream.move(StreamState.DRAINING)


def _ready(stream: Stream, plan: Plan, limits: Limits) -> Ready:
    return Ready(
        stream=stream.name,
        describer=plan.describer.name,
        draft=plan.describer.draft,
        delay=to_seconds(plan.config.delay),
        stride=to_seconds(plan.config.stride),
        max_message=limits.max_message,
        silence=limits.silence,
    )
