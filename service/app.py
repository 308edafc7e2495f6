"""The application: which address does what."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Path, Query, WebSocket
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import PlainTextResponse

from service.equipment import Equipment
from service.eventlog.log import EventLog
from service.host_guard import HostGuard
from service.publish import publish
from service.refusals import answer_refusals
from service.security.body_limit import BodyLimit
from service.security.caller import Scope
from service.security.gate import Gate
from service.security.routes import ticket_routes
from service.security.rules import Guard
from service.settings import Settings
from service.station import Station
from service.streams import Stream
from service.subscribe import subscribe
from service.tracks import as_jsonl, as_webvtt
from strad.wire.message import STREAM_NAME

StreamName = Annotated[str, Path(pattern=STREAM_NAME)]


def create_app(settings: Settings, equipment: Equipment, log: EventLog | None = None) -> FastAPI:
    """The service over ``equipment``. ``log``: else in memory. It serves ``app.state.station``."""
    gate = Gate(settings.auth)
    app = FastAPI(
        title="Strad",
        summary="Streaming audio description",
        version="1",
        dependencies=[Depends(Guard(gate))],
    )
    station = Station(settings, equipment, log)
    app.state.station = station
    app.state.gate = gate
    answer_refusals(app)
    names = [name.strip() for name in settings.names.split(",") if name.strip()]
    app.add_middleware(BodyLimit, most=settings.limits.max_body)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=settings.auth.origins,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
        allow_credentials=True,
        max_age=600,
    )
    app.add_middleware(HostGuard, names=names)
    app.include_router(ticket_routes(gate))
    _add_sockets(app, station, gate)
    _add_pages(app, station)
    return app


def _add_sockets(app: FastAPI, station: Station, gate: Gate) -> None:
    @app.websocket("/v1/streams/{stream}/media")
    async def media(socket: WebSocket, stream: str) -> None:
        async with gate.entered(socket, Scope.PUBLISH, stream) as peer:
            if peer is not None:
                await publish(peer, stream, station)

    @app.websocket("/v1/streams/{stream}/events")
    async def events(
        socket: WebSocket,
        stream: str,
        after: Annotated[int, Query(ge=0)] = 0,
        log: str | None = None,
    ) -> None:
        async with gate.entered(socket, Scope.SUBSCRIBE, stream) as peer:
            if peer is not None:
                await subscribe(peer, stream, station, after, log)


def _add_pages(app: FastAPI, station: Station) -> None:
    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        """Whether the process works at all."""
        return {"status": "draining" if station.streams.closed else "ok"}

    @app.get("/v1/streams")
    async def streams() -> dict[str, list[dict[str, object]]]:
        """The streams this service knows."""
        return {"streams": [line._asdict() for line in await station.streams.listing()]}

    @app.get("/v1/streams/{stream}/descriptions.vtt", response_class=PlainTextResponse)
    async def webvtt(stream: StreamName) -> PlainTextResponse:
        """What has been said so far."""
        text = await as_webvtt(await _find(station, stream))
        return PlainTextResponse(text, media_type="text/vtt")

    @app.get("/v1/streams/{stream}/descriptions.jsonl", response_class=PlainTextResponse)
    async def jsonl(stream: StreamName) -> PlainTextResponse:
        """What has been said so far, one prediction a line."""
        text = await as_jsonl(await _find(station, stream))
        return PlainTextResponse(text, media_type="application/jsonl")


async def _find(station: Station, name: str) -> Stream:
    stream = await station.streams.find(name)
    if stream is None:
        raise HTTPException(404, f"no stream {name}")
    return stream
