"""The application: which address does what."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, HTTPException, Path, Query, WebSocket
from fastapi.responses import PlainTextResponse

from service.equipment import Equipment
from service.eventlog.log import EventLog
from service.host_guard import HostGuard
from service.publish import publish
from service.settings import Settings
from service.station import Station
from service.streams import Stream
from service.subscribe import subscribe
from service.tracks import as_jsonl, as_webvtt
from strad.wire.message import STREAM_NAME

StreamName = Annotated[str, Path(pattern=STREAM_NAME)]


def create_app(settings: Settings, equipment: Equipment, log: EventLog | None = None) -> FastAPI:
    """The service over ``equipment``. ``log``: else in memory. It serves ``app.state.station``."""
    app = FastAPI(title="Strad", summary="Streaming audio description", version="1")
    station = Station(settings, equipment, log)
    app.state.station = station
    names = [name.strip() for name in settings.names.split(",") if name.strip()]
    app.add_middleware(HostGuard, names=names)
    _add_sockets(app, station)
    _add_pages(app, station)
    return app


def _add_sockets(app: FastAPI, station: Station) -> None:
    @app.websocket("/v1/streams/{stream}/media")
    async def media(socket: WebSocket, stream: str) -> None:
        await publish(socket, stream, station)

    @app.websocket("/v1/streams/{stream}/events")
    async def events(
        socket: WebSocket,
        stream: str,
        after: Annotated[int, Query(ge=0)] = 0,
        log: str | None = None,
    ) -> None:
        await subscribe(socket, stream, station, after, log)


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
