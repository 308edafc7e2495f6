"""The address that viewers watch at: by WebSocket, or by Server-Sent Events."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, TypeAlias, TypeVar

from fastapi import APIRouter, Header, Path, Query, Request, WebSocket
from fastapi.responses import Response
from pydantic import BaseModel, Field, ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send

from service.event_stream import EventStream, Place
from service.refusals import Refusal
from service.security.caller import Caller
from service.security.caller import Scope as Right
from service.security.gate import Gate
from service.station import Station
from service.subscribe import subscribe
from strad.decision import Kind
from strad.errors import NotAcceptableError
from strad.wire.asking import Extra, FormChoice, Wishes
from strad.wire.message import STREAM_NAME

Choice = TypeVar("Choice", bound=StrEnum)

StreamName: TypeAlias = Annotated[str, Path(pattern=STREAM_NAME)]

router = APIRouter(tags=["viewers"])

EVENTS = re.compile(r"/v1/streams/(?P<stream>[^/]+)/events")

EVENT = {
    "type": "object",
    "description": "One event. Its data is one of the messages of docs/protocol.md, as JSON.",
    "properties": {"id": {"type": "string"}, "data": {"type": "string"}},
}

LOG_NAME = r"^[\x21-\x7e]{1,200}$"


def _list_of(kind: type[StrEnum]) -> str:
    one = "|".join(kind)
    return f"^({one})(,({one}))*$"


class WatchQuery(BaseModel):
    """Where a viewer goes on, and what it wishes."""

    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    """The newest ``seq`` it has been told."""
    log: Annotated[str | None, Field(pattern=LOG_NAME)] = None
    """Of this log; another one starts at its beginning."""
    kinds: Annotated[str | None, Field(pattern=_list_of(Kind), max_length=100)] = None
    """AD of these kinds only, with commas between."""
    form: FormChoice = FormChoice.PLACED
    """Which length of a description, where several fit."""
    extras: Annotated[str | None, Field(pattern=_list_of(Extra), max_length=100)] = None
    """What to tell beside what is said, with commas between."""

    def wishes(self) -> Wishes:
        kinds = _chosen(Kind, self.kinds)
        return Wishes(
            kinds=kinds if self.kinds is not None else None,
            form=self.form,
            extras=_chosen(Extra, self.extras),
        )


def _chosen(kind: type[Choice], listed: str | None) -> tuple[Choice, ...]:
    """The values in a list with commas, each once."""
    return tuple(dict.fromkeys(kind(name) for name in listed.split(","))) if listed else ()


class ViewersLane:
    """Takes viewers' WebSockets past the routing: of all connections there are most of these.

    What each layer on the way keeps for as long as a connection lives is most of what one costs.
    The layers passed by do nothing with WebSockets; the gate stands in here as well.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = EVENTS.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await self._app(scope, receive, send)
        else:
            await watch(WebSocket(scope, receive, send), found["stream"])


def asked(socket: WebSocket) -> tuple[Place, Wishes]:
    """Where this viewer goes on, and what it wishes. Raises ValidationError."""
    query = WatchQuery.model_validate(dict(socket.query_params))
    return Place(query.after, query.log), query.wishes()


@router.websocket("/v1/streams/{stream}/events")
async def watch(socket: WebSocket, stream: str) -> None:
    """One viewer, from its request to its close code."""
    try:
        place, wishes = asked(socket)
    except ValidationError:
        await socket.close(1008)
        return
    station: Station = socket.app.state.station
    gate: Gate = socket.app.state.gate
    async with gate.entered(socket, Right.SUBSCRIBE, stream) as peer:
        if peer is not None:
            socket.scope["headers"] = ()  # a connection may last for hours, and there are many
            await subscribe(peer, stream, station, place.after, place.log, wishes)


@router.get(
    "/v1/streams/{stream}/events",
    response_class=Response,
    responses={
        200: {
            "description": "The messages of docs/protocol.md, one an event.",
            "content": {"text/event-stream": {"schema": EVENT}},
        },
        204: {"description": "The stream is over, and the viewer was told all of it."},
        406: {"model": Refusal, "description": "The client takes no text/event-stream."},
        503: {"model": Refusal, "description": "There is no room for another viewer."},
    },
)
async def events(
    request: Request,
    stream: StreamName,
    query: Annotated[WatchQuery, Query()],
    accept: Annotated[str, Header()] = "*/*",
    last_event_id: Annotated[str, Header(max_length=300)] = "",
) -> EventStream:
    """What is said on the stream, as it is said: Server-Sent Events."""
    if not takes_events(accept):
        raise NotAcceptableError("this address answers with text/event-stream")
    place = Place.of(last_event_id) or Place(query.after, query.log)
    station: Station = request.app.state.station
    gate: Gate = request.app.state.gate
    caller: Caller | None = getattr(request.state, "caller", None)
    return EventStream(
        station.streams,
        stream,
        place,
        query.wishes(),
        stall=station.settings.limits.stall,
        guests=gate.guests,
        holds=lambda: caller is None or gate.holds(caller),
        audio=station.settings.speech.on,
    )


def takes_events(accept: str) -> bool:
    """Whether an Accept header has room for Server-Sent Events (RFC 9110, 12.5.1)."""
    for part in accept.split(",") if accept.strip() else ["*/*"]:
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        refused = any(
            p.replace(" ", "") in ("q=0", "q=0.0", "q=0.00", "q=0.000") for p in parameters
        )
        if kind in ("text/event-stream", "text/*", "*/*") and not refused:
            return True
    return False
