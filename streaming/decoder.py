"""The decoding child: one media in, its pictures on a grid and its sound out. Only decodes.

Run as ``python -m streaming.decoder`` by streaming.ingest, which may kill it at any moment.
Reads an order, then (for live bytes) media, from stdin; writes messages to stdout.
"""

from __future__ import annotations

import os
import resource
import sys
from fractions import Fraction
from types import TracebackType
from typing import cast

import av
import av.logging
from av.audio.codeccontext import AudioCodecContext
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.codeccontext import VideoCodecContext
from av.video.stream import VideoStream

from strad.errors import MediaError, NoMediaError, NoVideoError, StradError
from strad.timeline import Ms
from streaming.decoding.clock import StreamClock, Us, to_ms, to_ticks, to_us
from streaming.decoding.container import open_container, outgrown, span_of
from streaming.decoding.excerpts import Excerpts
from streaming.decoding.faults import Faults
from streaming.decoding.framed import FramedDecoding
from streaming.decoding.jpeg import JpegEncoder, Picture
from streaming.decoding.messages import (
    LENGTH,
    Ended,
    Failed,
    Opened,
    Order,
    unpack_order,
)
from streaming.decoding.outlet import Outlet
from streaming.decoding.pictures import PictureSampler, RateGauge, VideoPacket, ticks_to_ms
from streaming.decoding.screen import EvenGrid, Grid, ListedGrid, Screen
from streaming.decoding.sound import SoundTrack, sample_of
from streaming.decoding.tracks import AnyPacket, Tracks
from streaming.media import VideoFrame

ABSENT_AFTER: Ms = 10_000
"""A track from which nothing was decoded for this long is told of."""

LONGEST: Ms = 1_000
"""A last picture may last this long though none before it did."""
FRAMED = "framed"
"""The format that is no container."""
LOOK_EVERY: Ms = 2_000
"""Tracks that weren't there at the start are looked for."""
NEAR_ZERO: Us = 500_000


class Pictures:
    """The video track: sampled, encoded, and sent."""

    def __init__(self, order: Order, stream: VideoStream, faults: Faults, outlet: Outlet) -> None:
        context = prepared(order, stream)
        self.base = base_of(stream)
        rate = stream.average_rate or stream.guessed_rate
        self.frame_time: Us = round(1_000_000 / rate) if rate else 0
        self.sampler = PictureSampler(
            context,
            self.base,
            Screen(grid_of(order), self._show, begins=order.begins),
            self._corrupt,
            prompt=order.live,
        )
        self._stream = stream
        self._order = order
        self._faults = faults
        self._outlet = outlet
        self._encoder = JpegEncoder(order.max_width, order.jpeg_quality, order.max_pixels)
        self._gauge = RateGauge()
        self._newest: Ms = order.begins
        self._longest: Ms = 0
        self._last: tuple[av.VideoFrame, Picture] | None = None
        self._size: tuple[int, int] | None = None

    def push(self, packet: VideoPacket) -> None:
        """Take a packet that is already on stream time."""
        ticks = packet.pts if packet.pts is not None else packet.dts
        t = ticks_to_ms(ticks or 0, self.base)
        self._longest = max(self._longest, t - self._newest)
        self._newest = max(self._newest, t)
        self._gauge.push(t)
        if self._gauge.rate > self._order.max_fps and not self.sampler.keys_only:
            self.sampler.keys_only = True
            text = f"{self._gauge.rate} pictures a second: only keyframes are looked at"
            self._outlet.tell_once("frame-rate-capped", t, text)
        self.sampler.push(packet, t)

    def follow(self, stream: VideoStream) -> None:
        """Another track goes on in place of the one so far."""
        self.sampler.follow(prepared(self._order, stream))
        self._stream = stream

    def lasting_to(self, said: Ms) -> Ms:
        """When the last picture goes, if media that says it lasts to ``said`` wasn't cut short."""
        return said if said <= self._newest + max(self._longest, LONGEST) else 0

    def _show(self, frame: av.VideoFrame, t: Ms) -> None:
        if self._last is None or self._last[0] is not frame:
            self._notice_size(frame, t)
            self._last = frame, self._encoder.encode(frame, self._aspect())
        picture = self._last[1]
        self._outlet.send(VideoFrame(t, picture.jpeg, picture.width, picture.height, picture.hash))

    def _aspect(self) -> float:
        aspect = self._stream.sample_aspect_ratio or self._stream.codec_context.sample_aspect_ratio
        return min(4.0, max(0.25, float(aspect))) if aspect else 1.0

    def _notice_size(self, frame: av.VideoFrame, t: Ms) -> None:
        size = frame.width, frame.height
        if self._size not in (None, size):
            self._outlet.tell("size-change", t, f"the picture is {size[0]}x{size[1]} from here on")
        self._size = size

    def _corrupt(self, bad: bool) -> None:
        if bad:
            self._faults.bad("video")
        else:
            self._faults.good("video")


class Sound:
    """The audio track, or the silence where there is none."""

    def __init__(
        self, begins: Ms, stream: AudioStream | None, faults: Faults, outlet: Outlet
    ) -> None:
        self.track = SoundTrack(outlet.send, begins=begins)
        self.heard = False
        self._faults = faults
        self._context: AudioCodecContext | None = None
        self.base = base_of(stream)
        if stream:
            self.follow(stream)

    def follow(self, stream: AudioStream) -> None:
        """Another track goes on in place of the one so far."""
        self.push(None)
        self._context = stream.codec_context
        self._context.thread_count = 1

    def push(self, packet: av.Packet[AudioStream] | None) -> None:
        """Take a packet that is already on stream time; None: no more will come."""
        if self._context is None:
            return
        try:
            frames = self._context.decode(packet)
        except av.error.MemoryError:
            raise
        except av.error.FFmpegError:
            self._faults.bad("audio")
            return
        if frames:
            self._faults.good("audio")
            self.heard = True
        for frame in frames:
            at = None if frame.pts is None else sample_of(frame.pts, self.base)
            self.track.take(frame, at)


class Decoding:
    """One media being decoded: both tracks on one clock."""

    def __init__(self, order: Order, container: InputContainer, outlet: Outlet) -> None:
        self._order = order
        self._container = container
        self._outlet = outlet
        self._clock = StreamClock(
            jump=order.jump * 1000, span=span_of(order, container), edge=order.begins * 1000
        )
        self._end: Ms = order.begins
        self._faults = Faults(order.max_corrupt, self._tell_corrupt)
        self._tracks = Tracks(order, container, self._faults)
        self._looked_at: Ms = order.begins
        video, audio = self._tracks.video, self._tracks.audio
        self._check_tracks(video, audio)
        self._pictures = Pictures(order, video, self._faults, outlet) if video else None
        self._sound = Sound(order.begins, audio, self._faults, outlet)
        self._video = video
        self._audio = audio
        self._absent_from = order.begins + ABSENT_AFTER

    def run(self) -> None:
        """Decode all of it, to its end."""
        duration = self._container.duration
        self._outlet.send(Opened(duration // 1000 if duration and duration > 0 else None))
        self._outlet.flush()
        for packet in self._tracks.packets():
            if isinstance(packet.stream, AudioStream):
                self._hear(cast("av.Packet[AudioStream]", packet))
            else:
                self._see(cast("VideoPacket", packet))
            self._keep_up()
            self._outlet.flush()
        self._finish()

    def _check_tracks(self, video: VideoStream | None, audio: AudioStream | None) -> None:
        name, begins = self._order.name, self._order.begins
        if video is None and audio is None:
            raise NoMediaError(f"{name}: holds neither video nor sound that can be decoded")
        if video is None:
            if not self._order.live and not self._order.sound_alone:
                raise NoVideoError(f"{name}: no video, only sound: there is nothing to describe")
            self._outlet.tell_once("no-video", begins, "there is no video to describe, only sound")
        if audio is None:
            self._outlet.tell_once("no-audio", begins, "there is no sound: all of it is one gap")

    def _hear(self, packet: av.Packet[AudioStream]) -> None:
        if self._audio and packet.stream_index != self._audio.index:
            self._clock.succeed(self._audio.index, packet.stream_index)
            self._audio = packet.stream
            self._sound.follow(packet.stream)
        self._place(packet, self._sound.base, 0)
        self._sound.push(packet)

    def _see(self, packet: VideoPacket) -> None:
        assert self._pictures
        if self._video and packet.stream_index != self._video.index:
            self._clock.succeed(self._video.index, packet.stream_index)
            self._video = packet.stream
            self._pictures.follow(packet.stream)
        self._place(packet, self._pictures.base, self._pictures.frame_time)
        self._pictures.push(packet)

    def _place(self, packet: AnyPacket, base: Fraction, usual: Us) -> None:
        """Put the packet on stream time; ``usual``: how long it lasts, if it doesn't say."""
        track = packet.stream_index
        if self._clock.origin is None:
            self._clock.start(self._start(packet) - self._order.begins * 1000)
        ticks = packet.dts if packet.dts is not None else packet.pts
        raw = self._clock.guess(track) if ticks is None else to_us(ticks, base)
        said = to_us(packet.duration or 0, base)
        duration = said if said > 0 and self._clock.plausible(self._clock.edge + said) else usual
        placed = self._clock.place(track, raw, duration, ordered=packet.dts is not None)
        offset = to_ticks(placed, base)
        ticks = to_ticks(raw, base) if ticks is None else ticks
        packet.dts = ticks - offset
        if packet.pts is not None:
            packet.pts -= offset
            if not self._clock.plausible(to_us(packet.pts, base)):
                packet.pts = None
        last = packet.dts if packet.pts is None else packet.pts
        self._end = max(self._end, to_ms(to_us(last, base) + duration))

    def _start(self, packet: AnyPacket) -> Us:
        ticks = packet.pts if packet.pts is not None else packet.dts
        first = to_us(ticks or 0, packet.time_base)
        said = cast("int | None", self._container.start_time)
        start = said if said is not None and abs(said - first) < 10_000_000 else first
        # A player's clock starts at PTS 0 even where the first picture comes a little later.
        return 0 if abs(start) < NEAR_ZERO else start

    def _keep_up(self) -> None:
        edge = to_ms(self._clock.edge)
        if edge > self._looked_at + LOOK_EVERY:
            self._look_for_late_tracks(edge)
        if self._clock.jumps:
            self._clock.jumps = 0
            self._outlet.tell("clock-jump", edge, "the media's clock jumped; time goes on")
        if self._audio is None and self._pictures and not self._order.live:
            self._sound.track.fill_to(min(self._pictures.sampler.screen.shown, edge + 1_000))
        elif self._audio is None:
            self._sound.track.fill_to(edge)
        else:
            self._sound.track.fill_to(edge - self._order.sound_lag)
            if edge > self._absent_from and not self._sound.heard:
                self._outlet.tell_once("no-audio", edge, "no sound could be decoded so far")
        if self._pictures and (self._audio or self._order.live):
            self._pictures.sampler.overtaken(edge - self._order.picture_lag)
            if edge > self._absent_from and self._pictures.sampler.screen.dark:
                self._outlet.tell_once("no-video", edge, "no picture could be decoded so far")

    def _look_for_late_tracks(self, t: Ms) -> None:
        self._looked_at = t
        for text in self._tracks.ignored():
            self._outlet.tell("track-ignored", t, text)

    def _finish(self) -> None:
        self._look_for_late_tracks(to_ms(self._clock.edge))
        self._sound.push(None)
        end = max(self._end, self._sound.track.end)
        if self._pictures:
            end = max(end, self._pictures.lasting_to(to_ms(self._clock.rest)))
            self._pictures.sampler.finish(end)
        seen = self._pictures is not None and not self._pictures.sampler.screen.dark
        if not seen and not self._sound.heard:
            raise NoMediaError(f"{self._order.name}: nothing in it could be decoded")
        if not seen and not self._order.live and not self._order.sound_alone:
            raise NoVideoError(f"{self._order.name}: none of its video could be decoded")
        self._sound.track.finish(end)
        self._faults.tell()
        self._outlet.send(Ended())

    def _tell_corrupt(self, count: int) -> None:
        text = f"{count} corrupt packets so far; going on without them"
        self._outlet.tell("corrupt-packets", to_ms(self._clock.edge), text, count)


def prepared(order: Order, stream: VideoStream) -> VideoCodecContext:
    """The track's decoder, within our limits. Raises MediaError for too large a picture."""
    context = stream.codec_context
    if context.width * context.height > order.max_pixels:
        size = f"{context.width}x{context.height}"
        raise MediaError(f"{order.name}: its picture of {size} is too large")
    context.options = {"max_pixels": str(order.max_pixels)}
    context.thread_count = 1
    return context


def grid_of(order: Order) -> Grid:
    """When its pictures are looked at."""
    return EvenGrid(order.fps) if order.times is None else ListedGrid(order.times)


def base_of(stream: VideoStream | AudioStream | None) -> Fraction:
    """The unit of a track's times, in seconds."""
    return (stream.time_base if stream else None) or Fraction(1, 1000)


def decode(order: Order, outlet: Outlet) -> None:
    """All of one media; what goes wrong is said as the last message."""
    try:
        if order.format == FRAMED:
            FramedDecoding(order, _read_or_end, outlet).run()
        else:
            with open_container(order) as container:
                if order.wanted is not None:
                    Excerpts(order, order.wanted, container, outlet).run()
                else:
                    Decoding(order, container, outlet).run()
    except StradError as error:
        outlet.send(Failed(error.code, str(error)))
    except MemoryError:
        grown = outgrown(order)
        outlet.send(Failed(grown.code, str(grown)))
    outlet.flush()


def read_order() -> Order:
    """The order from stdin, and not one byte of the media that follows it."""
    (length,) = LENGTH.unpack(_read(LENGTH.size))
    return unpack_order(_read(length))


def _read(size: int) -> bytes:
    if len(got := _read_or_end(size)) < size:
        raise SystemExit(2)
    return got


def _read_or_end(size: int) -> bytes:
    """So many bytes; none when they end before."""
    got = bytearray()
    while len(got) < size:
        piece = os.read(0, size - len(got))
        if not piece:
            return b""
        got += piece
    return bytes(got)


def main() -> None:
    """The child's whole life."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    av.logging.set_level(None)
    outlet = Outlet(os.fdopen(os.dup(1), "wb", buffering=64 * 1024))
    os.dup2(2, 1)

    def died(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        where = "its start"
        while trace:
            code = trace.tb_frame.f_code
            if "streaming" in code.co_filename:
                where = f"{code.co_qualname}, line {trace.tb_lineno}"
            trace = trace.tb_next
        outlet.send(Failed("decoder", f"the decoder failed: {kind.__name__} in {where}"))
        outlet.flush()

    sys.excepthook = died
    order = read_order()
    resource.setrlimit(resource.RLIMIT_AS, (order.memory, order.memory))
    try:
        decode(order, outlet)
    except BrokenPipeError:
        os._exit(3)
    os._exit(0)


if __name__ == "__main__":
    main()
