"""A publication: one publisher's socket and the broadcast it feeds, from ready to summary."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal, NoReturn, assert_never

from service.broadcast import Broadcast
from service.equipment import Equipment
from service.inlet import Inlet
from service.outbox import Outbox
from service.peer import Peer
from service.plan import Plan
from service.settings import Limits
from service.streams import Stream
from strad.errors import PeerGoneError, ProtocolError, StradError, WorkError
from strad.timeline import Ms, from_seconds, to_seconds
from strad.wire.answering import Answer, Draining, Error, Ready, Summary, Warning
from strad.wire.message import name_of
from strad.wire.publishing import (
    Captions,
    Epoch,
    Finish,
    Hello,
    KeepAlive,
    parse_from_publisher,
)
from strad.wire.viewing import StreamState

logger = logging.getLogger(__name__)

REPORT_EVERY = 0.5
"""Wall seconds between two looks at the progress."""

REPORT_AT_LEAST = 10.0
"""Wall seconds after which progress is told even though nothing moved."""

MOST_REFUSED = 50
"""Refused messages after which a publisher is taken for broken."""

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
        self._broadcast = Broadcast(stream, plan, equipment, self._inlet, self._warn)
        self._sent: Ms | None = None
        self._refused = 0
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
        except* StradError as group:
            error = _cause(group)
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
            self._outbox.put(self._ready())
            await self._stream.move(StreamState.LIVE)
            helpers = [tasks.create_task(self._receive()), tasks.create_task(self._report())]
            summary = await self._describe()
            for helper in helpers:
                helper.cancel()
            await self._tell_draining()
            self._outbox.put(self._broadcast.progress(self._sent))
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
            self._warn(Warning(code="drain-limit", at=edge, message=message))
            return self._broadcast.so_far()
        finally:
            self._limit = None

    async def _receive(self) -> None:
        try:
            while (message := await self._peer.receive(self._limits.silence)) is not None:
                if isinstance(message, bytes):
                    await self._take(message)
                else:
                    self._obey(message)
        except PeerGoneError as silence:
            if self._draining is None:
                logger.info("stream %s: its publisher fell silent", self._stream.name)
                self.silence = silence
        self.drain("gone")

    async def _take(self, chunk: bytes) -> None:
        if self._draining == "finish":
            self._refuse(ProtocolError("media after finish"), answers="media")
        else:
            await self._inlet.push(chunk)

    def _obey(self, text: str) -> None:
        try:
            self._act(parse_from_publisher(text))
        except ProtocolError as error:
            self._refuse(error, answers=name_of(text))

    def _act(self, message: Hello | Captions | Epoch | KeepAlive | Finish) -> None:
        match message:
            case Hello():
                raise ProtocolError("hello a second time")
            case Captions():
                if not self._plan.captions:
                    raise ProtocolError('captions, but hello.transcript is not "captions"')
                self._broadcast.feed.tell(message)
            case Epoch():
                self._broadcast.feed.tell(message)
            case KeepAlive():
                self._sent = self._sent if message.sent is None else from_seconds(message.sent)
            case Finish():
                self.drain("finish")
            case never:
                assert_never(never)

    def _refuse(self, error: ProtocolError, answers: str | None) -> None:
        self._refused += 1
        if self._refused > MOST_REFUSED:
            raise ProtocolError(f"more than {MOST_REFUSED} messages refused; the last: {error}")
        self._outbox.put(Error.of(error, answers=answers, fatal=False))

    async def _answer(self) -> None:
        try:
            while (message := await self._outbox.take()) is not None:
                await self._send(message)
        except (PeerGoneError, TimeoutError):
            logger.info("stream %s: its publisher takes no answers", self._stream.name)
            self._outbox.close()
            self.drain("gone")

    async def _send(self, message: Answer) -> None:
        await self._peer.send(message.to_json(), self._limits.silence)

    async def _report(self) -> NoReturn:
        clock = asyncio.get_running_loop().time
        reported, due = self._broadcast.progress(self._sent), 0.0
        while True:
            progress = self._broadcast.progress(self._sent)
            if progress != reported or clock() >= due:
                reported, due = progress, clock() + REPORT_AT_LEAST
                self._outbox.put(progress)
            if self._draining:
                await self._tell_draining()
            await asyncio.sleep(REPORT_EVERY)

    async def _tell_draining(self) -> None:
        if self._stream.state is StreamState.LIVE:
            await self._stream.move(StreamState.DRAINING)

    def _ready(self) -> Ready:
        config, describer = self._plan.config, self._plan.describer
        return Ready(
            stream=self._stream.name,
            describer=describer.name,
            draft=describer.draft,
            delay=to_seconds(config.delay),
            stride=to_seconds(config.stride),
            max_message=self._limits.max_message,
            silence=self._limits.silence,
        )

    def _warn(self, warning: Warning) -> None:
        self._outbox.put(warning)


def _cause(group: BaseExceptionGroup[StradError]) -> StradError:
    first = group.exceptions[0]
    return _cause(first) if isinstance(first, BaseExceptionGroup) else first
