"""``WS /v1/streams/{stream}/media``: a publisher says hello, then sends media."""

from __future__ import annotations

import logging

from service.peer import Peer
from service.plan import Plan, make_plan
from service.publication import Publication
from service.station import Station
from service.streams import check_name
from strad.errors import PeerGoneError, ProtocolError, StradError, WorkError
from strad.wire.answering import Error
from strad.wire.publishing import Hello, parse_from_publisher

logger = logging.getLogger(__name__)


async def publish(peer: Peer, name: str, station: Station) -> None:
    """Serve one publisher that the gate has let in, to its close code."""
    error: StradError | None = WorkError("the service failed")
    try:
        await _serve(peer, name, station)
        error = None
    except StradError as refused:
        logger.info("stream %.80a: refused or failed: %s", name, refused.code)
        error = refused
    finally:
        await _part(peer, error)


async def _serve(peer: Peer, name: str, station: Station) -> None:
    check_name(name)
    station.streams.check_open()
    hello = await _hello(peer, station.settings.limits.hello)
    if hello is None:
        return
    plan = make_plan(hello, station.settings, station.equipment)
    try:
        await _run(peer, name, plan, station)
    finally:
        await plan.aclose()


async def _run(peer: Peer, name: str, plan: Plan, station: Station) -> None:
    async with station.streams.publishing(name, plan.about) as stream:
        publication = Publication(peer, stream, plan, station.settings.limits, station.equipment)
        with station.on_air(publication):
            await publication.run()
    if publication.silence is not None:
        raise publication.silence
    if station.streams.closed:
        raise PeerGoneError("the service is shutting down")


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
