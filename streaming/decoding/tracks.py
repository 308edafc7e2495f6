"""Which tracks of a container are followed, and their packets: to the end, whatever appears.

PyAV only knows the tracks there were when the container was opened, and its demuxer reads past
its own list when others come up (docs/adr/0009): here nothing ever asks it for those.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any, TypeAlias, cast

import av
import av.logging
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.stream import VideoStream

from strad.errors import PeerGoneError
from streaming.decoding.container import audio_of, nothing_decodable, video_of
from streaming.decoding.faults import Faults
from streaming.decoding.messages import Order

AnyPacket: TypeAlias = "av.Packet[Any]"
AnyStream: TypeAlias = VideoStream | AudioStream

GROWING = frozenset({"mpegts", "mpeg", "flv", "ogg", "rtsp", "hls"})
"""Containers in which tracks may come and go."""
SILENT_SECONDS = 4
"""A track is over when another of its kind alone has sent this much."""
MAX_WAITING = 1024
MAX_WAITING_BYTES = 8 * 1024 * 1024
DUMPED = re.compile(r"^ *Stream #0:(\d+).*?: (Video|Audio): ", re.MULTILINE)


class Tracks:
    """The video and the sound that are followed; another of a kind takes over when one is over."""

    def __init__(self, order: Order, container: InputContainer, faults: Faults) -> None:
        self._order = order
        self._container = container
        self._faults = faults
        self._begun = False
        self.video, self.audio = video_of(container), audio_of(container)
        self._followed: dict[str, AnyStream] = {}
        if self.video:
            self._followed["video"] = self.video
        if self.audio:
            self._followed["audio"] = self.audio
        self.may_grow = not GROWING.isdisjoint(container.format.name.split(","))
        self._heirs: dict[str, dict[int, deque[AnyPacket]]] = {kind: {} for kind in self._followed}
        self._told: set[str] = set()

    def packets(self) -> Iterator[AnyPacket]:
        """Those of the followed tracks. Raises MediaError, or PeerGoneError."""
        going_on = True
        while going_on:
            going_on = False
            try:
                yield from self._until_corrupt()
            except av.error.InvalidDataError as error:
                if self._order.format == "mp4" and not self._begun:
                    raise nothing_decodable(self._order) from error
                self._faults.bad("container")
                going_on = True
            except OSError as error:
                raise PeerGoneError(f"{self._order.name}: broke off ({error.strerror})") from error

    def _until_corrupt(self) -> Iterator[AnyPacket]:
        for packet in self._container.demux(self._wanted()):
            if packet.size:
                self._begun = True
                self._faults.good("container")
                yield from self._of_followed(packet)
            elif packet.pos is None and packet.dts is None:
                # The end. To go on would ask PyAV for tracks that it doesn't know.
                return

    def ignored(self) -> list[str]:
        """In words, each kind of track that came up too late to be followed, once."""
        if not self.may_grow:
            return []
        av.logging.set_level(av.logging.INFO)
        dumped = cast("Any", self._container).dumps_format()
        av.logging.set_level(None)
        known = len(self._container.streams)
        late = {kind.lower() for index, kind in DUMPED.findall(dumped) if int(index) >= known}
        new = sorted(late - self._told)
        self._told |= late
        return [self._words(kind) for kind in new]

    def _words(self, kind: str) -> str:
        which = "another" if kind in self._followed else "a"
        return (
            f"{which} track of {'sound' if kind == 'audio' else kind} appeared; it isn't followed"
        )

    def _wanted(self) -> list[AnyStream]:
        if not self.may_grow:
            return list(self._followed.values())
        both: list[AnyStream] = [*self._container.streams.video, *self._container.streams.audio]
        return [stream for stream in both if self._may_follow(stream)]

    def _may_follow(self, stream: AnyStream) -> bool:
        followed = self._followed.get(stream.type)
        known = followed is not None and stream.codec_context is not None
        return known and followed is not None and stream.time_base == followed.time_base

    def _of_followed(self, packet: AnyPacket) -> Iterator[AnyPacket]:
        kind, index = packet.stream.type, packet.stream_index
        if index == self._followed[kind].index:
            self._heirs[kind].clear()
            yield packet
            return
        heir = self._heirs[kind].setdefault(index, deque())
        heir.append(packet)
        if lasts(heir) >= SILENT_SECONDS:
            self._followed[kind] = packet.stream
            yield from heir
            self._heirs[kind].clear()
        elif len(heir) > MAX_WAITING or sum(p.size for p in heir) > MAX_WAITING_BYTES:
            heir.popleft()


def lasts(packets: deque[AnyPacket]) -> float:
    """Seconds from the first of one track's packets to the last, as far as they are timed."""
    times = [packet.dts for packet in (packets[0], packets[-1]) if packet.dts is not None]
    return float((times[-1] - times[0]) * packets[0].time_base) if times else 0.0
