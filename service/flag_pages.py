"""Flags over HTTP: a viewer gives one, an operator takes all of them away for training."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict

from service.refusals import Refusal
from service.security.rules import caller_of
from service.station import Station
from service.stream import Stream
from service.track_pages import FRESH
from strad.errors import NotFoundError
from strad.flag import FlagKind, Note, ViewerName
from strad.wire.asking import Finding
from strad.wire.message import STREAM_NAME

StreamName: TypeAlias = Annotated[str, Path(pattern=STREAM_NAME)]
EventName: TypeAlias = Annotated[str, Path(min_length=1, max_length=200)]


class FlagRequest(BaseModel):
    """What a viewer found wrong with a description."""

    model_config = ConfigDict(extra="ignore")

    kind: FlagKind
    note: Note = ""
    """In the viewer's words; nothing about the viewer belongs here."""
    by: ViewerName | None = None
    """A random word of the client's own, to tell its viewers apart."""

    def finding(self) -> Finding:
        return Finding(kind=self.kind, note=self.note, by=self.by)


class FlagTaken(BaseModel):
    """It is kept."""

    event: str
    kind: FlagKind
    again: bool
    """Whether this viewer had said so before; it counts once."""


def flag_routes(station: Station) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["flags"])

    @router.post(
        "/v1/streams/{stream}/events/{event}/flags",
        responses={
            404: {"model": Refusal, "description": "No such stream, or no such description in it."},
            503: {"model": Refusal, "description": "No more are kept, or the log is away."},
        },
    )
    async def flag(
        request: Request, stream: StreamName, event: EventName, said: FlagRequest
    ) -> FlagTaken:
        """Have it kept that a description is wrong, or came too late. Again is once."""
        log = (await _found(station, stream)).log
        again = await station.flags.take(log, event, said.finding(), caller_of(request))
        return FlagTaken(event=event, kind=said.kind, again=again)

    @router.get(
        "/v1/streams/{stream}/flags.jsonl",
        response_class=Response,
        responses={
            200: {
                "description": "One flagged description a line, after a header.",
                "content": {"application/jsonl": {"schema": {"type": "string"}}},
            },
            404: {"model": Refusal, "description": "No such stream."},
            503: {"model": Refusal, "description": "The event log can't be read now."},
        },
    )
    async def export(stream: StreamName) -> Response:
        """What viewers flagged in the newest programme of that name, with what was said."""
        text = await station.flags.export(stream, (await _found(station, stream)).log)
        headers = {"Cache-Control": FRESH}
        return Response(text, media_type="application/jsonl", headers=headers)

    return router


async def _found(station: Station, name: str) -> Stream:
    stream = await station.streams.find(name)
    if stream is None:
        raise NotFoundError(f"no stream {name} here")
    return stream
