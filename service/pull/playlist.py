"""HLS playlists (RFC 8216), as far as a stream can be followed by them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urljoin

from strad.errors import MediaError

MOST_LINES = 50_000
ENOUGH_HEIGHT = 360
"""Lines of picture that the describer can use; what is beyond costs and gains little."""

_ATTRIBUTE = re.compile(r'([A-Z0-9-]+)=("[^"]*"|[^",]*)')

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A URL, or some bytes of it."""

    url: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of media."""

    number: int
    """Its media sequence number."""
    part: Part
    head: Part | None
    """What comes before it, of an MP4: the init segment."""
    gap: bool = False
    """Whether it is announced as missing."""


@dataclass(frozen=True, slots=True)
class MediaPlaylist:
    """Segments in order."""

    segments: tuple[Segment, ...]
    target: float
    """Seconds that no segment is longer than."""
    ended: bool
    """Whether no more will come."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One quality of a stream."""

    url: str
    bandwidth: int
    height: int
    sound_apart: bool
    """Whether its sound is in a playlist of its own."""


def parse_playlist(text: str, url: str) -> MediaPlaylist | tuple[Variant, ...]:
    """The playlist that came from ``url``. Raises MediaError for what can't be followed."""
    lines = [line.strip() for line in text.splitlines()]
    if not lines or lines[0] != "#EXTM3U":
        raise MediaError("not an HLS playlist: it doesn't begin with #EXTM3U")
    if len(lines) > MOST_LINES:
        raise MediaError(f"an HLS playlist of over {MOST_LINES} lines")
    try:
        if any(line.startswith("#EXT-X-STREAM-INF") for line in lines):
            return tuple(_variants(lines, url))
        return _media(lines, url)
    except ValueError:
        raise MediaError("an HLS playlist with a number that isn't one") from None


def choose(variants: tuple[Variant, ...]) -> Variant:
    """The smallest picture that is enough, else the largest. Raises MediaError."""
    whole = [variant for variant in variants if not variant.sound_apart]
    if not whole:
        raise MediaError(
            "its sound is in a playlist of its own, which is not followed: "
            "name a variant that holds both"
        )
    enough = [variant for variant in whole if variant.height >= ENOUGH_HEIGHT]
    if enough:
        return min(enough, key=lambda v: (v.height, v.bandwidth))
    return max(whole, key=lambda v: (v.height, -v.bandwidth))


def _variants(lines: list[str], url: str) -> Iterator[Variant]:
    apart = {
        media["GROUP-ID"]
        for line in lines
        if line.startswith("#EXT-X-MEDIA:")
        if (media := _attributes(line)).get("TYPE") == "AUDIO" and "URI" in media
    }
    told: Mapping[str, str] | None = None
    for line in lines:
        if line.startswith("#EXT-X-STREAM-INF:"):
            told = _attributes(line)
        elif line and not line.startswith("#") and told is not None:
            height = told.get("RESOLUTION", "0x0").lower().partition("x")[2]
            yield Variant(
                url=urljoin(url, line),
                bandwidth=int(told.get("BANDWIDTH", "0")),
                height=int(height or 0),
                sound_apart=told.get("AUDIO") in apart,
            )
            told = None


@dataclass(slots=True)
class _Reading:
    """What the tags so far say of the next segment."""

    number: int = 0
    target: float = 6.0
    head: Part | None = None
    gap: bool = False
    length: Span | None = None
    """Length and offset of a byte range; an offset below 0 follows the last one."""
    after: int = 0


def _media(lines: list[str], url: str) -> MediaPlaylist:
    reading, segments = _Reading(), []
    for line in lines:
        if line.startswith("#"):
            _tag(reading, line, url)
        elif line:
            span = _span(reading)
            part = Part(urljoin(url, line), span)
            segments.append(Segment(reading.number, part, reading.head, reading.gap))
            reading.number += 1
            reading.gap, reading.length = False, None
            reading.after = span[1] if span else 0
    ended = "#EXT-X-ENDLIST" in lines
    return MediaPlaylist(tuple(segments), reading.target, ended)


def _tag(reading: _Reading, line: str, url: str) -> None:
    tag, _, value = line.partition(":")
    match tag:
        case "#EXT-X-MEDIA-SEQUENCE":
            reading.number = int(value)
        case "#EXT-X-TARGETDURATION":
            reading.target = min(120.0, max(0.5, float(value)))
        case "#EXT-X-MAP":
            told = _attributes(line)
            length = _range(told["BYTERANGE"]) if "BYTERANGE" in told else None
            span = (length[1], length[1] + length[0]) if length else None
            reading.head = Part(urljoin(url, told.get("URI", "")), span)
        case "#EXT-X-BYTERANGE":
            reading.length = _range(value)
        case "#EXT-X-GAP":
            reading.gap = True
        case "#EXT-X-KEY" if _attributes(line).get("METHOD", "NONE") != "NONE":
            raise MediaError("its segments are encrypted, which is not supported")
        case _:
            pass


def _span(reading: _Reading) -> Span | None:
    if reading.length is None:
        return None
    length, offset = reading.length
    begin = reading.after if offset < 0 else offset
    return begin, begin + length


def _range(text: str) -> Span:
    length, at, offset = text.partition("@")
    found = int(length), int(offset) if at else -1
    if found[0] <= 0:
        raise MediaError("an HLS playlist with an empty byte range")
    return found


def _attributes(line: str) -> dict[str, str]:
    return {name: value.strip('"') for name, value in _ATTRIBUTE.findall(line.partition(":")[2])}
