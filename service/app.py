"""The application: which address does what."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Depends, FastAPI, Request, WebSocket
from pydantic import BaseModel

from service import openapi, track_pages, viewer_pages
from service.control_room.pages import control_room_routes
from service.equipment import Equipment
from service.eventlog.log import EventLog
from service.flag_pages import flag_routes
from service.health_pages import health_routes
from service.host_guard import HostGuard
from service.jobs.jobs import Jobs
from service.jobs.routes import job_routes
from service.operations.tracing import Tracer
from service.player_pages import player_routes
from service.publish import publish
from service.pull.pulls import Pulls
from service.pull.routes import pull_routes
from service.refusals import Refusal, answer_refusals
from service.security.body_limit import BodyLimit
from service.security.caller import Scope
from service.security.cross_origin import CrossOrigin
from service.security.gate import Gate
from service.security.routes import ticket_routes
from service.security.rules import Guard, caller_of
from service.security.tickets import shared_by
from service.settings import Settings
from service.spoken.pages import spoken_routes
from service.spoken.sounds import Sounds
from service.station import Station
from service.status_pages import status_routes
from strad.wire.viewing import StreamState


class StreamLine(BaseModel):
    """One stream."""

    stream: str
    state: StreamState
    viewers: int
    """In this process."""
    last: int
    """``seq`` of the newest message."""


class StreamList(BaseModel):
    """The streams this service knows."""

    streams: list[StreamLine]


def create_app(
    settings: Settings,
    equipment: Equipment,
    log: EventLog | None = None,
    tracer: Tracer | None = None,
) -> FastAPI:
    """The service over ``equipment``. ``log``: else in memory. It serves ``app.state.station``."""
    names = [name.strip() for name in settings.names.split(",") if name.strip()]
    gate = Gate(settings.auth, shared_by(log), names)
    app = FastAPI(
        title="Strad",
        summary="Streaming audio description",
        version="1",
        dependencies=[Depends(Guard(gate))],
        docs_url=None,  # FastAPI's own pages run scripts from another host
        redoc_url=None,
    )
    station = Station(settings, equipment, log, tracer)
    app.state.station = station
    app.state.gate = gate
    count = station.metrics.refused
    gate.refused = lambda what, code: count.labels(what, code).inc()
    answer_refusals(app, lambda code: count.labels("request", code).inc())
    _add_guards(app, settings, names, gate)
    app.include_router(control_room_routes())
    app.include_router(player_routes(settings))
    app.include_router(ticket_routes(gate))
    app.include_router(pull_routes(Pulls(station, gate)))
    app.state.jobs = Jobs(station)
    app.include_router(job_routes(app.state.jobs))
    app.include_router(health_routes(station))
    app.include_router(status_routes(station))
    app.include_router(flag_routes(station))
    app.include_router(viewer_pages.router)
    app.include_router(track_pages.router)
    app.include_router(spoken_routes(Sounds.of(settings.speech)))
    _add_sockets(app, station, gate)
    _add_pages(app, station)
    openapi.describe(app, open_to_all=not gate.auth.on)
    return app


def _add_guards(app: FastAPI, settings: Settings, names: Sequence[str], gate: Gate) -> None:
    """What looks at a request before any route: the outermost is added last."""
    app.add_middleware(BodyLimit, most=settings.limits.max_body)
    app.add_middleware(CrossOrigin, origins=gate.origins)
    app.add_middleware(HostGuard, names=names)
    app.add_middleware(viewer_pages.ViewersLane)


def _add_sockets(app: FastAPI, station: Station, gate: Gate) -> None:
    @app.websocket("/v1/streams/{stream}/media")
    async def media(socket: WebSocket, stream: str) -> None:
        async with gate.entered(socket, Scope.PUBLISH, stream) as peer:
            if peer is not None:
                await publish(peer, stream, station)


def _add_pages(app: FastAPI, station: Station) -> None:
    @app.get("/v1/streams", responses={503: {"model": Refusal}})
    async def streams(request: Request) -> StreamList:
        """The streams this service knows, of those the caller may watch."""
        caller = caller_of(request)
        lines = [line for line in await station.streams.listing() if caller.covers(line.stream)]
        return StreamList(streams=[StreamLine(**line._asdict()) for line in lines])
