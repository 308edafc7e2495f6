"""HLS: a stream's AD as a playlist of WebVTT segments (RFC 8216). Pure.

Segment ``n`` covers ``[n * length, (n + 1) * length)`` of stream time. It never changes once it is
listed, so it is listed only when nothing can be placed in it any more: a cue is announced at least
``lead`` before the viewers' playhead, which runs ``delay`` behind the live edge. What comes too
late for that is dropped by placement, not put into the past. Two things may still take a cue back:

- a provisional AD is withdrawn when speech begins under it, until the playhead has passed its end:
  a segment that holds one waits for that;
- a firm AD is withdrawn in the rare case that the transcript finds speech where none was heard. It
  stays in segments that could be listed by then, and is gone from later ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from strad.cues import Cue
from strad.timeline import Interval, Ms, from_seconds
from strad.webvtt import MPEGTS_WRAP, write_webvtt
from strad.wire.viewing import Ad
from streaming.config import StreamConfig

LEAD = StreamConfig().lead

TICKS = 90
"""Of MPEG-TS's clock in a millisecond."""

WINDOW: Ms = 600_000
"""How far back a live playlist reaches."""

LEAST_LISTED = 3
"""Segments a live playlist holds at least (RFC 8216, 6.2.2)."""


@dataclass(frozen=True, slots=True)
class Cut:
    """How a track is cut, as the address says."""

    length: Ms = 6_000
    """Of one segment; a live rendition must have its video's target duration (RFC 8216, 6.2.4)."""
    mpegts: int = 0
    """90 kHz timestamp that the video carries at stream time 0."""

    def when(self, number: int) -> Interval:
        """The stream time of segment ``number``."""
        return Interval(number * self.length, (number + 1) * self.length)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A firm AD that was withdrawn when live edge ``edge`` had come."""

    ad: Ad
    edge: Ms


@dataclass(frozen=True, slots=True)
class Material:
    """What is known of a stream."""

    standing: Sequence[Ad]
    """By start."""
    taken_back: Sequence[TakenBack]
    edge: Ms
    """The live edge."""
    delay: Ms
    ended: bool
    lost_to: Ms = 0
    """Before this, AD may have been let go."""

    @property
    def end(self) -> Ms:
        """Where the stream ends, once it has ended."""
        return max([self.edge, *(from_seconds(ad.end) for ad in self.standing)])


def settled(edge: Ms, delay: Ms) -> Ms:
    """No AD that begins before this can come any more, once the live edge is at ``edge``."""
    return max(0, edge - delay + (LEAD if delay else 0))


def listed(material: Material, cut: Cut) -> range:
    """The numbers of the segments that may be listed."""
    first = math.ceil(material.lost_to / cut.length)
    if material.ended:
        return range(first, max(first, math.ceil(material.end / cut.length)))
    until = settled(material.edge, material.delay)
    playhead = material.edge - material.delay
    for ad in material.standing:
        if ad.provisional and from_seconds(ad.end) > playhead:
            until = min(until, from_seconds(ad.start))
    return range(first, max(first, until // cut.length))


def cues_in(material: Material, cut: Cut, number: int) -> list[Cue]:
    """All cues that share time with the segment; each is repeated in every one it reaches into."""
    when = cut.when(number)
    stayed = (
        taken.ad for taken in material.taken_back if when.end <= settled(taken.edge, material.delay)
    )
    cues = (ad.cue() for ad in [*material.standing, *stayed])
    return sorted((cue for cue in cues if _shares(cue.when, when)), key=lambda cue: cue.when.start)


def _shares(cue: Interval, segment: Interval) -> bool:
    """A cue without length lies where it starts."""
    return cue.start < segment.end and max(cue.end, cue.start + 1) > segment.start


def write_segment(
    cues: Iterable[Cue], cut: Cut, number: int, *, language: str, notes: Iterable[str] = ()
) -> str:
    """Segment ``number`` as WebVTT.

    X-TIMESTAMP-MAP (RFC 8216, 3.5) names the segment's own start, so that it stays right when the
    33-bit timestamps start again from 0, every 26.5 hours.
    """
    start = cut.when(number).start
    return write_webvtt(
        cues,
        notes=notes,
        language=language,
        mpegts=(cut.mpegts + start * TICKS) % MPEGTS_WRAP,
        local=start,
    )


def write_playlist(material: Material, cut: Cut, query: str, *, event: bool) -> str | None:
    """The media playlist; None before there is a segment to list.

    Its segments' addresses are ``descriptions/N.vtt?query``. ``event``: with all segments, the
    oldest too (EXT-X-PLAYLIST-TYPE:EVENT); else a window that slides.
    """
    numbers = listed(material, cut)
    if not numbers:
        return None
    if not event:
        numbers = numbers[-max(LEAST_LISTED, WINDOW // cut.length) :]
    lines = [
        "#EXTM3U",
        "#EXT-X-VERSION:3",
        f"#EXT-X-TARGETDURATION:{math.ceil(cut.length / 1000)}",
        f"#EXT-X-MEDIA-SEQUENCE:{numbers[0]}",
        *(["#EXT-X-PLAYLIST-TYPE:EVENT"] if event else []),
    ]
    for number in numbers:
        lines += [f"#EXTINF:{_length(material, cut, number):.3f},"]
        lines += [f"descriptions/{number}.vtt?{query}"]
    if material.ended:
        lines.append("#EXT-X-ENDLIST")
    return "\n".join(lines) + "\n"


def _length(material: Material, cut: Cut, number: int) -> float:
    """Seconds. Only the last segment of a stream that has ended may be shorter."""
    when = cut.when(number)
    end = min(when.end, material.end) if material.ended else when.end
    return (end - when.start) / 1000
