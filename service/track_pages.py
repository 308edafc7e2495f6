"""The pages of a stream's tracks: whole files, and HLS."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from service.hls import Cut, Material, cues_in, listed, write_playlist, write_segment
from service.refusals import Refusal
from service.station import Station
from service.stream import Stream
from service.told import Told
from service.tracks import as_jsonl, as_srt, as_webvtt, language_of, notes_of
from strad.errors import NotFoundError
from strad.timeline import Ms, from_seconds
from strad.webvtt import MPEGTS_WRAP
from strad.wire.message import STREAM_NAME
from strad.wire.viewing import About

StreamName: TypeAlias = Annotated[str, Path(pattern=STREAM_NAME)]
IfNoneMatch: TypeAlias = Annotated[str | None, Header()]

FRESH = "no-cache"
"""It grows: ask each time, the answer may be 304."""

FOR_GOOD = "max-age=31536000, immutable"
"""A segment's address names its log and its cut: it never changes."""

HLS = "application/vnd.apple.mpegurl"
SRT = "application/x-subrip"


class PlaylistType(StrEnum):
    """How far back a playlist reaches."""

    LIVE = "live"
    """The newest ten minutes."""
    EVENT = "event"
    """All of it."""


class Cutting(BaseModel):
    """How the HLS track is cut."""

    segment: Annotated[int, Field(ge=1, le=60)] = 6
    """Seconds of one segment. Live: the target duration of the video it goes with."""
    mpegts: Annotated[int, Field(ge=0, lt=MPEGTS_WRAP)] = 0
    """90 kHz timestamp that the video carries at stream time 0."""

    def cut(self) -> Cut:
        return Cut(length=self.segment * 1_000, mpegts=self.mpegts)


class PlaylistQuery(Cutting):
    """Which playlist."""

    type: PlaylistType = PlaylistType.LIVE


class SegmentQuery(Cutting):
    """Which segment, beside its number."""

    log: Annotated[str | None, Field(max_length=200)] = None
    """The log it was listed for."""


def answers(media_type: str, what: str) -> dict[int | str, dict[str, Any]]:
    """What a track's route may answer, for OpenAPI."""
    text = {"schema": {"type": "string"}}
    return {
        200: {"description": what, "content": {media_type: text}},
        304: {"description": "It is as it was: If-None-Match names its ETag."},
        404: {"model": Refusal, "description": "No such stream, or not yet."},
        503: {"model": Refusal, "description": "The event log can't be read now."},
    }


class Track:
    """One stream as its pages need it."""

    def __init__(self, stream: Stream, told: Told, edge: Ms, audience: str) -> None:
        self.stream = stream
        self.audience = audience
        """Which caches may keep it: ``public``, or ``private`` where viewers need credentials."""
        self.told = told
        self.about: About | None = stream.about or told.about
        delay = from_seconds(self.about.delay) if self.about is not None else 0
        self.material = Material(
            told.ads(), told.taken_back(), max(edge, told.edge), delay, told.ended, told.lost_to
        )

    def tag(self, *parts: object) -> str:
        """An ETag: the log, how far it is read, and ``parts``."""
        return f'"{"-".join(str(part) for part in (self.told.log.name, self.told.place, *parts))}"'


async def find_track(request: Request, stream: StreamName) -> Track:
    """Raises NotFoundError where nobody has published it, LogError."""
    station: Station = request.app.state.station
    found = await station.streams.find(stream)
    if found is None:
        raise NotFoundError(f"no stream {stream}")
    # Before the log is read, which then holds all that was said by then.
    edge = await station.library.promised(found, lasting=station.log.lasting)
    audience = "private" if station.settings.auth.on else "public"
    return Track(found, await station.library.told(found.log), edge, audience)


Found: TypeAlias = Annotated[Track, Depends(find_track)]


router = APIRouter(prefix="/v1/streams/{stream}", tags=["tracks"])


@router.get(
    "/descriptions.vtt",
    response_class=Response,
    responses=answers("text/vtt", "WebVTT of what was said so far and still stands."),
)
async def webvtt(track: Found, if_none_match: IfNoneMatch = None) -> Response:
    """What has been said so far, as WebVTT."""
    return fresh("text/vtt", track.tag(), if_none_match, lambda: as_webvtt(track.told, track.about))


@router.get(
    "/descriptions.srt",
    response_class=Response,
    responses=answers(SRT, "SRT of what was said so far."),
)
async def srt(track: Found, if_none_match: IfNoneMatch = None) -> Response:
    """What has been said so far, as SRT."""
    return fresh(f"{SRT}; charset=utf-8", track.tag(), if_none_match, lambda: as_srt(track.told))


@router.get(
    "/descriptions.jsonl",
    response_class=Response,
    responses=answers("application/jsonl", "One prediction a line."),
)
async def jsonl(track: Found, if_none_match: IfNoneMatch = None) -> Response:
    """What has been said so far, one prediction a line."""
    return fresh(
        "application/jsonl",
        track.tag(),
        if_none_match,
        lambda: as_jsonl(track.told, track.stream.name, track.about),
    )


@router.get(
    "/descriptions.m3u8",
    response_class=Response,
    responses=answers(HLS, "A media playlist, for a SUBTITLES rendition."),
)
async def playlist(
    track: Found,
    query: Annotated[PlaylistQuery, Query()],
    if_none_match: IfNoneMatch = None,
) -> Response:
    """The HLS playlist of WebVTT segments, once there is a segment to list."""
    cut, material = query.cut(), track.material
    rest = f"log={track.told.log.name}&segment={query.segment}&mpegts={query.mpegts}"
    event = query.type is PlaylistType.EVENT
    text = write_playlist(material, cut, rest, event=event)
    if text is None:
        raise NotFoundError("no segment can be listed yet: try again soon")
    numbers = listed(material, cut)
    tag = track.tag(
        query.segment, query.mpegts, query.type, numbers.start, numbers.stop, material.ended
    )
    return fresh(HLS, tag, if_none_match, lambda: text)


@router.get(
    "/descriptions/{number}.vtt",
    response_class=Response,
    responses=answers("text/vtt", "One WebVTT segment of the playlist."),
)
async def segment(
    track: Found,
    number: Annotated[int, Path(ge=0, le=2**40)],
    query: Annotated[SegmentQuery, Query()],
) -> Response:
    """A segment of the HLS track, as the playlist gives its address."""
    cut = query.cut()
    if query.log not in (None, track.told.log.name) or number not in listed(track.material, cut):
        raise NotFoundError(f"no segment {number} is listed")
    text = write_segment(
        cues_in(track.material, cut, number),
        cut,
        number,
        language=language_of(track.about),
        notes=notes_of(track.about),
    )
    caching = f"{track.audience}, {FOR_GOOD}" if query.log else FRESH
    return Response(text, media_type="text/vtt", headers={"Cache-Control": caching})


def fresh(
    media_type: str, tag: str, if_none_match: str | None, write: Callable[[], str]
) -> Response:
    """The text, or 304 where the client has it already (RFC 9110, 13.1.2)."""
    headers = {"ETag": tag, "Cache-Control": FRESH}
    known = [name.strip().removeprefix("W/") for name in (if_none_match or "").split(",")]
    if tag in known or known == ["*"]:
        return Response(status_code=304, headers=headers)
    return Response(write(), media_type=media_type, headers=headers)
