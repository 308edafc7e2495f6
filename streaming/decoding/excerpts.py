"""Decoding only some spans of a file: seek before each stretch, decode through it, go on.

Times are those of a whole decoding of the same file: 0 is the container's start, or PTS 0 where
that is near (see ``Decoding``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.stream import VideoStream

from strad.errors import MediaError, NoVideoError
from strad.timeline import Interval, Ms
from streaming.decoding.clock import Us, to_us
from streaming.decoding.container import audio_of, video_of
from streaming.decoding.faults import Faults
from streaming.decoding.jpeg import JpegEncoder, Picture
from streaming.decoding.messages import Ended, Opened, Order
from streaming.decoding.outlet import Outlet
from streaming.decoding.sound import SoundTrack
from streaming.decoding.spans import Stretch, Wanted, stretches
from streaming.media import AudioChunk, VideoFrame

END_OF_STRETCH = "end-of-stretch"
"""The notice that all of a stretch has been sent; its ``count`` is that of the spans in it."""
BACK: Ms = 10_000
"""So much earlier it is sought again where no picture came out before the first one wanted."""
LAG: Ms = 10_000
"""Sound may be muxed so far behind the pictures, and the other way round."""
EARLIER: Us = 10_000_000
"""The start is sought so much before it: MPEG-TS, which has no index, else lands behind it."""
NEAR_ZERO: Us = 500_000
LASTS: Ms = 1_000
"""A file's last picture is taken for this long, where no length is said."""


class Excerpts:
    """One file, stretch by stretch."""

    def __init__(
        self, order: Order, wanted: Wanted, container: InputContainer, outlet: Outlet
    ) -> None:
        video = video_of(container)
        if video is None:
            raise NoVideoError(f"{order.name}: no video, only sound: there is nothing to describe")
        if video.width * video.height > order.max_pixels:
            raise MediaError(f"{order.name}: its picture is too large")
        self._order, self._wanted = order, wanted
        self._container, self._outlet = container, outlet
        self._video: VideoStream = video
        self._audio = audio_of(container) if wanted.sound else None
        for track in filter(None, (self._video, self._audio)):
            track.codec_context.thread_count = 1
        start = cast("int | None", container.start_time) or 0
        self._origin: Us = 0 if abs(start) < NEAR_ZERO else start
        self._encoder = JpegEncoder(order.max_width, order.jpeg_quality, order.max_pixels)
        self.length: Ms | None = None
        """Of the file, where it says."""

    def run(self) -> None:
        """All of them."""
        said = self._container.duration
        self.length = said // 1000 if said and said > 0 else None
        self._outlet.send(Opened(self.length))
        for stretch in stretches(self._wanted, self.length):
            self._whole(stretch)
            self._outlet.tell(END_OF_STRETCH, stretch.when.end, "", stretch.spans)
            self._outlet.flush()
        self._outlet.send(Ended())

    def _whole(self, stretch: Stretch) -> None:
        """Where seeking lands too late, again from earlier on; from the start in the end."""
        at = stretch.when.start
        while True:
            attempt = _Attempt(self, stretch, last=at <= 0)
            if attempt.run(self._packets_from(at)):
                attempt.finish()
                return
            at = max(0, at - BACK)

    def _packets_from(self, at: Ms) -> Iterator[av.Packet[Any]]:
        to = at * 1000 + self._origin if at > 0 else self._first - EARLIER
        self._container.seek(to, backward=True)
        tracks: list[VideoStream | AudioStream] = [self._video]
        if self._audio is not None:
            tracks.append(self._audio)
        return self._container.demux(tracks)

    @property
    def _first(self) -> Us:
        return cast("int | None", self._container.start_time) or 0

    def time_of(self, frame: av.VideoFrame | av.AudioFrame) -> Us | None:
        """Its time in the film; None where it says none."""
        if frame.pts is None or frame.time_base is None:
            return None
        return to_us(frame.pts, frame.time_base) - self._origin

    def faults(self) -> Faults:
        """A new count: each stretch may have its own bad packets."""
        return Faults(self._order.max_corrupt, lambda _count: None)

    def encoded(self, frame: av.VideoFrame) -> Picture:
        """The picture as a JPEG."""
        own = self._video.sample_aspect_ratio or self._video.codec_context.sample_aspect_ratio
        aspect = min(4.0, max(0.25, float(own))) if own else 1.0
        return self._encoder.encode(frame, aspect)

    def send(self, item: VideoFrame | AudioChunk) -> None:
        """To the parent."""
        self._outlet.send(item)

    @property
    def hears(self) -> bool:
        """Whether there is sound to be had."""
        return self._audio is not None


class _Attempt:
    """At a stretch: nothing is sent before it is sure that it began early enough.

    The ``last`` one takes what there is.
    """

    def __init__(self, media: Excerpts, stretch: Stretch, *, last: bool) -> None:
        self._media = media
        self._last = last
        self._when: Interval = stretch.when
        self._times = list(stretch.times)
        self._held: av.VideoFrame | None = None
        self._held_t: Ms = 0
        self._faults = media.faults()
        self._chunks: list[AudioChunk] = []
        self._sound = SoundTrack(self._chunks.append, begins=stretch.when.start)
        self._heard: Ms = stretch.when.start
        self._seen: Ms = 0

    def run(self, packets: Iterator[av.Packet[Any]]) -> bool:
        """Whether the first picture that came was early enough."""
        for packet in packets:
            for frame in self._decoded(packet):
                if isinstance(frame, av.AudioFrame):
                    self._hear(frame)
                elif not self._see(frame):
                    return False
            if self._done():
                return True
        return self._held is not None or self._last

    def finish(self) -> None:
        """The stretch, or the file, is over: what is still wanted was on screen to the end."""
        if self._held is not None:
            known = self._media.length is not None
            self._show_until(self._when.end + 1 if known else self._held_t + LASTS)
        if self._media.hears:
            self._sound.finish(self._when.end)
        for chunk in self._chunks:
            self._media.send(chunk)

    def _decoded(self, packet: av.Packet[Any]) -> list[Any]:
        kind = packet.stream.type
        try:
            frames = packet.decode()
        except av.error.MemoryError:
            raise
        except av.error.FFmpegError:
            self._faults.bad(kind)
            return []
        if frames:
            self._faults.good(kind)
        return list(frames)

    def _see(self, frame: av.VideoFrame) -> bool:
        us = self._media.time_of(frame)
        t = self._seen if us is None else us // 1000
        if self._held is None and t > self._when.start and not self._last:
            return False
        self._seen = max(self._seen, t)
        if self._held is not None:
            self._show_until(t)
        self._held, self._held_t = frame, t
        return True

    def _show_until(self, t: Ms) -> None:
        """The wanted moments before ``t`` have the picture that is held."""
        assert self._held is not None
        picture: Picture | None = None
        while self._times and self._times[0] < t:
            picture = picture or self._media.encoded(self._held)
            at = self._times.pop(0)
            shown = VideoFrame(at, picture.jpeg, picture.width, picture.height, picture.hash)
            self._media.send(shown)

    def _hear(self, frame: av.AudioFrame) -> None:
        us = self._media.time_of(frame)
        if us is None or frame.time_base is None or frame.pts is None:
            return
        length = frame.samples * 1000 // frame.sample_rate
        self._heard = max(self._heard, us // 1000 + length)
        if us // 1000 + length > self._when.start and us // 1000 < self._when.end:
            self._sound.take(frame, us * 16 // 1000)

    def _done(self) -> bool:
        seen = not self._times
        heard = not self._media.hears or self._heard >= self._when.end
        lost = self._seen > self._when.end + LAG or self._heard > self._when.end + LAG
        return (seen and heard) or lost
