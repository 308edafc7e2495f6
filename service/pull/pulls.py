"""Pulls: the URLs that are being described, and how they are started and stopped."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from service.publish import publish
from service.pull.network import Resolver, system_resolver
from service.pull.pulled_peer import PulledPeer
from service.pull.remote import Remote, open_remote, protocol_of
from service.pull.request import PullReport, PullRequest, PullState
from service.refusals import Refusal
from service.security.caller import Caller, Scope
from service.security.gate import Gate
from service.station import Station
from strad.errors import (
    NotFoundError,
    PeerGoneError,
    RefusedSourceError,
    StradError,
    TakenError,
    WorkError,
    cause_of,
)
from strad.timeline import Ms
from strad.wire.publishing import Container
from streaming.media import Media
from streaming.sources import redacted

logger = logging.getLogger(__name__)

SETTLE = 60.0
"""Wall seconds until a source has been opened or refused."""


class Pull:
    """One URL under one stream's name, from its opening to its end."""

    def __init__(self, request: PullRequest, caller: Caller) -> None:
        self.request = request
        self.caller = caller
        self.state = PullState.OPENING
        self.error: StradError | None = None
        self.settled = asyncio.Event()
        """Set once it is live, or has failed."""
        self._peer: PulledPeer | None = None
        self._stopped = False

    def stop(self) -> None:
        """Fetch no more; what is decoded already is still described."""
        self._stopped = True
        if self.state is PullState.LIVE:
            self.state = PullState.ENDING
        if self._peer is not None:
            self._peer.finish()

    def report(self) -> PullReport:
        return PullReport(
            stream=self.request.stream,
            source=redacted(self.request.url),
            state=self.state,
            error=Refusal.of(self.error) if self.error is not None else None,
        )

    async def run(self, station: Station, gate: Gate, resolve: Resolver) -> None:
        """Fetch and describe. Whatever ends it is in ``error``."""
        request, settings = self.request, station.settings.pull
        failure: StradError | None = WorkError("the service failed at work on this source")
        try:
            with gate.rates.holding(self.caller, Scope.PUBLISH, request.stream):
                async with open_remote(request.url, settings, request.container, resolve) as remote:
                    await self._publish(remote, station, gate)
            failure = None
        except StradError as error:
            failure = error
            logger.info("stream %s: its pull ended: %s", request.stream, error.code)
        except asyncio.CancelledError:
            failure = PeerGoneError("the service is shutting down")
            raise
        finally:
            self.error = self.error or failure
            self.state = PullState.ENDED
            self.settled.set()

    async def _publish(self, remote: Remote, station: Station, gate: Gate) -> None:
        peer = PulledPeer(self.request.hello(remote.container), self._hear)
        self._peer = peer
        if self._stopped:
            peer.finish()
        try:
            async with asyncio.TaskGroup() as tasks:
                filling = tasks.create_task(self._fill(peer, remote, gate))
                await publish(peer, self.request.stream, paced(station, peer))
                filling.cancel()
        except BaseExceptionGroup as group:
            raise cause_of(group) from None
        if peer.failure is not None:
            raise peer.failure

    async def _fill(self, peer: PulledPeer, remote: Remote, gate: Gate) -> None:
        """A source that fails ends the stream as one that is over: what came is described."""
        try:
            async with aclosing(self._permitted(remote, gate)) as chunks:
                await peer.fill(chunks)
        except StradError as error:
            self.error = error
        if self.state is PullState.LIVE:
            self.state = PullState.ENDING

    async def _permitted(self, remote: Remote, gate: Gate) -> AsyncGenerator[bytes, None]:
        """The bytes, for as long as the key that asked for them isn't revoked.

        A token's end stops no pull: tokens are short, and who may publish may stop it.
        """
        caller = replace(self.caller, expires=None)
        async for chunk in remote.chunks:
            if self._stopped:
                return
            if not gate.holds(caller):
                raise PeerGoneError("the key that asked for it was revoked")
            yield chunk

    def _hear(self, kind: str) -> None:
        if kind == "ready":
            self.state = PullState.LIVE
            self.settled.set()


class Pulls:
    """All of one process."""

    def __init__(self, station: Station, gate: Gate, resolve: Resolver = system_resolver) -> None:
        self._station = station
        self._gate = gate
        self._resolve = resolve
        self._pulls: dict[str, Pull] = {}

    async def start(self, request: PullRequest, caller: Caller) -> PullReport:
        """Describe a URL. Returns once it is live; raises why it can't be."""
        caller.check(Scope.PUBLISH, request.stream)
        if not self._station.settings.pull.on:
            raise RefusedSourceError("this service pulls no URLs")
        protocol_of(request.url)
        known = self._pulls.get(request.stream)
        if known is not None and known.state is not PullState.ENDED:
            raise TakenError(f"stream {request.stream} is being pulled already: stop that first")
        self._station.streams.check_open()
        pull = Pull(request, caller)
        self._remember(pull)
        self._station.crew.start(
            f"the pull of stream {request.stream}",
            pull.run(self._station, self._gate, self._resolve),
        )
        await self._wait(pull)
        if pull.state is PullState.ENDED and pull.error is not None:
            raise pull.error
        return pull.report()

    def stop(self, stream: str) -> PullReport:
        """Raises NotFoundError for what isn't pulled here."""
        pull = self._find(stream)
        pull.stop()
        return pull.report()

    def report(self, stream: str) -> PullReport:
        """Raises NotFoundError."""
        return self._find(stream).report()

    async def _wait(self, pull: Pull) -> None:
        try:
            async with asyncio.timeout(SETTLE):
                await pull.settled.wait()
        except TimeoutError:
            pull.stop()
            raise PeerGoneError("the source was not opened in time") from None

    def _find(self, stream: str) -> Pull:
        pull = self._pulls.get(stream)
        if pull is None:
            raise NotFoundError(f"stream {stream} is not pulled by this process")
        return pull

    def _remember(self, pull: Pull) -> None:
        self._pulls.pop(pull.request.stream, None)
        self._pulls[pull.request.stream] = pull
        over = [name for name, p in self._pulls.items() if p.state is PullState.ENDED]
        most = self._station.settings.limits.remembered
        for name in over[: max(0, len(over) - most)]:
            del self._pulls[name]


def paced(station: Station, peer: PulledPeer) -> Station:
    """The same station, where what ``peer`` sends is described no faster than it plays."""
    equipment = station.equipment

    @asynccontextmanager
    async def media(
        container: Container, chunks: AsyncIterator[bytes], begins: Ms
    ) -> AsyncIterator[AsyncIterator[Media]]:
        async with equipment.media(container, peer.to_its_end(chunks), begins) as pieces:
            yield peer.played(pieces, begins)

    view = copy.copy(station)
    view.equipment = replace(equipment, media=media)
    view.hands_over = False  # nobody elsewhere would go on with it
    return view
