"""Status: how the service and its streams stand, in figures and newest happenings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from service.operations.live_quality import AdSeen, DropSeen, GapSeen, WindowSeen
from service.publication import Publication
from service.station import Station
from strad.timeline import to_seconds
from strad.wire.answering import Spread
from strad.wire.viewing import About, StreamState


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one stream that is described here. Times are seconds of media."""

    live_edge: float
    cursor: float
    behind: float
    lag_emit: float | None
    """Of the newest description."""
    load: float | None
    """Seconds of an answer over the stride, newest windows."""
    windows: int
    skipped: int
    no_gap: int
    events: int
    withdrawn: int
    late_share: float | None
    """Of the descriptions announced by this process."""
    overlap: float
    """Seconds of what this process announced in which somebody spoke."""
    words_a_minute: float | None
    """Announced by this process, over the media it has taken in."""
    waits: dict[str, int]
    drops: dict[str, int]
    lag_emit_spread: Spread | None
    load_spread: Spread | None
    describer_up: bool
    inlet_bytes: int


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest sixty of each sort, oldest first."""

    windows: list[WindowSeen]
    gaps: list[GapSeen]
    ads: list[AdSeen]
    drops: list[DropSeen]


@dataclass(frozen=True, slots=True)
class StreamStatus:
    """One stream."""

    stream: str
    log: str
    state: StreamState
    viewers: int
    """In this process."""
    last: int
    """``seq`` of the newest message."""
    about: About | None
    here: bool
    """Whether this process describes it: only that one knows the rest."""
    figures: Figures | None = None
    newest: Newest | None = None
    flags: int = 0
    """How many flags viewers gave; counted where one stream is asked about."""


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """The process that is asked."""

    draining: bool
    streams: int
    most_streams: int
    viewers: int
    connections: int
    used: dict[str, float]
    """What admission measures: shares of what there is; for ``loop`` seconds."""
    short: list[str]
    """Why one stream more would be too much now."""
    decoders: int
    describers: list[str]
    described: list[StreamStatus]
    """The streams described here, without their happenings."""


def service_status(station: Station) -> ServiceStatus:
    """How this process stands."""
    return ServiceStatus(
        draining=station.streams.closed,
        streams=station.streams.live,
        most_streams=station.settings.limits.streams,
        viewers=station.streams.viewers,
        connections=station.connections(),
        used={str(resource): round(v, 4) for resource, v in station.load.used.items()},
        short=[str(shortage) for shortage in station.load.shortages],
        decoders=station.load.children,
        describers=sorted(station.equipment.describers),
        described=[_status(each, newest=False) for each in station.publications],
    )


async def stream_status(station: Station, name: str) -> StreamStatus | None:
    """How a stream stands; None where there is none. Raises LogError."""
    for publication in station.publications:
        if publication.stream.name == name:
            flags = await publication.stream.log.flags.count()
            return replace(_status(publication, newest=True), flags=flags)
    stream = await station.streams.find(name)
    if stream is None:
        return None
    return StreamStatus(
        stream=name,
        log=stream.log.name,
        state=stream.state,
        viewers=stream.viewers,
        last=stream.log.last,
        about=stream.about,
        here=False,
        flags=await stream.log.flags.count(),
    )


def _status(publication: Publication, *, newest: bool) -> StreamStatus:
    stream, quality = publication.stream, publication.quality
    return StreamStatus(
        stream=stream.name,
        log=stream.log.name,
        state=stream.state,
        viewers=stream.viewers,
        last=stream.log.last,
        about=stream.about,
        here=True,
        figures=_figures(publication),
        newest=Newest(
            list(quality.windows), list(quality.gaps), list(quality.ads), list(quality.drops)
        )
        if newest
        else None,
    )


def _figures(publication: Publication) -> Figures:
    quality, attendance = publication.quality, publication.attendance
    now = publication.broadcast.progress(attendance.sent)
    so_far = publication.broadcast.so_far()
    totals, minutes = quality.totals, quality.seconds / 60
    return Figures(
        live_edge=now.live_edge,
        cursor=now.cursor,
        behind=now.behind,
        lag_emit=now.lag_emit,
        load=now.load,
        windows=so_far.windows,
        skipped=so_far.skipped,
        no_gap=so_far.no_gap,
        events=so_far.events,
        withdrawn=so_far.withdrawn,
        late_share=round(totals["late"] / totals["events"], 4) if totals["events"] else None,
        overlap=to_seconds(totals["overlap"]),
        words_a_minute=round(totals["words"] / minutes, 1) if minutes else None,
        waits=so_far.waits,
        drops=so_far.drops,
        lag_emit_spread=so_far.lag_emit,
        load_spread=so_far.load,
        describer_up=quality.up,
        inlet_bytes=attendance.waiting,
    )
