"""``WS /v1/streams/{stream}/media``: a publisher says hello, then sends media."""

from __future__ import annotations

import asyncio
import logging

from service.beginning import Beginning
from service.operations.live_quality import LiveQuality
from service.peer import Peer
from service.plan import make_plan
from service.publication import HandedOverError, Publication
from service.resume_state import ResumeState
from service.resume_token import ResumeToken
from service.station import Station
from service.streams import Stream, check_name
from service.visit import Visit
from strad.errors import (
    PeerGoneError,
    ProtocolError,
    StradError,
    UnknownLogError,
    WorkError,
    cause_of,
)
from strad.wire.answering import Error
from strad.wire.publishing import Hello, parse_from_publisher

logger = logging.getLogger(__name__)


async def publish(peer: Peer, name: str, station: Station) -> None:
    """Serve one publisher that the gate has let in, to its close code."""
    error: StradError | None = WorkError("the service failed")
    visit = Visit(peer, name, station.settings.limits.silence)
    try:
        await _serve(peer, visit, name, station)
        error = None
    except StradError as refused:
        fields = {"stream": name[:80], "peer": peer.address, "code": refused.code}
        logger.info("stream %.80a: refused or failed: %s", name, refused.code, extra=fields)
        if not visit.welcome:
            station.metrics.refused.labels("publish", refused.code).inc()
        error = refused
    finally:
        await _part(peer, error)


async def _serve(peer: Peer, visit: Visit, name: str, station: Station) -> None:
    check_name(name)
    station.streams.check_open()
    hello = await _hello(peer, station.settings.limits.hello)
    if hello is None:
        return
    if hello.resume is None:
        await _begin(visit, hello, name, station)
        return
    token = ResumeToken.parse(hello.resume)
    here = station.publication(name, token.log)
    if here is not None:
        await here.serve(visit, hello)
    else:
        await _go_on(visit, hello, name, station, token)


async def _begin(visit: Visit, hello: Hello, name: str, station: Station) -> None:
    """A new stream."""
    plan = make_plan(hello, station.settings, station.equipment)
    try:
        async with station.streams.publishing(name, plan.about) as stream:
            token = ResumeToken.new(stream.log.name)
            state = ResumeState(token.digest, hello)
            await _run(visit, hello, station, stream, Beginning(plan, token, state))
    finally:
        await plan.aclose()


async def _go_on(
    visit: Visit, hello: Hello, name: str, station: Station, token: ResumeToken
) -> None:
    """A stream that another process described, or this one before it was started again."""
    state = await _kept(name, station, token)
    heard_to = state.memory.speech.vad_until
    plan = make_plan(state.hello, station.settings, station.equipment, heard_to)
    try:
        async with station.streams.publishing(
            name, plan.about, resume=token.log, take_over=True
        ) as stream:
            state = await state.caught_up(stream.log)
            await _run(visit, hello, station, stream, Beginning(plan, token, state))
    finally:
        await plan.aclose()


async def _kept(name: str, station: Station, token: ResumeToken) -> ResumeState:
    """What the log keeps of the stream. Raises UnknownLogError, UnauthorizedError, LogError."""
    stream = await station.streams.find(name)
    if stream is None or stream.log.name != token.log or stream.over:
        raise UnknownLogError(f"stream {name} can't be gone on with any more: publish it anew")
    kept = await stream.log.kept()
    if kept is None:
        raise UnknownLogError(f"nothing was kept of stream {name}: publish it anew")
    state = ResumeState.parse(kept)
    token.check(state.digest)
    return state


async def _run(
    visit: Visit, hello: Hello, station: Station, stream: Stream, beginning: Beginning
) -> None:
    plan, metrics = beginning.plan, station.metrics
    quality = LiveQuality(plan.config, plan.describer.name, metrics)
    publication = Publication(
        stream, beginning, station.settings.limits, station.equipment, quality
    )
    publication.handed_over = station.hands_over
    await publication.begin()
    metrics.begun.inc()
    code = "left"
    try:
        with station.on_air(publication), station.tracer.span("strad.publish", stream=stream.name):
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(publication.serve(visit, hello))
                await publication.run()
        code = HandedOverError.code if publication.leaving else "ok"
    except BaseExceptionGroup as group:
        error = cause_of(group)
        code = error.code if isinstance(error, StradError) else WorkError.code
        raise error from None
    finally:
        metrics.ended.labels(code).inc()


async def _hello(peer: Peer, limit: float) -> Hello | None:
    """The publisher's hello; None when it left without one."""
    first = await peer.receive(limit)
    if first is None:
        return None
    if isinstance(first, bytes):
        raise ProtocolError("media before hello")
    message = parse_from_publisher(first)
    if not isinstance(message, Hello):
        raise ProtocolError(f"{message.type} before hello")
    return message


async def _part(peer: Peer, error: StradError | None) -> None:
    if error is not None:
        try:
            await peer.send(Error.of(error).to_json(), limit=1.0)
        except (PeerGoneError, TimeoutError):
            return
    await peer.close(error)
