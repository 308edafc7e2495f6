"""Framed media in the decoding child: JPEGs put on the grid, blocks of sound made gapless.

Records come on stdin, each with a 4-byte length before it (strad.wire.framed). Every picture is
hostile until it is decoded: its size is read from its own markers first, and only what a grid time
shows is decoded at all.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import av
from av.codec.context import CodecContext
from av.video.codeccontext import VideoCodecContext

from strad.errors import MediaError, NoMediaError
from strad.timeline import Ms
from strad.wire.framed import Framed, FramedKind, parse_framed
from streaming.decoding.faults import Faults
from streaming.decoding.jpeg import JpegEncoder, Picture
from streaming.decoding.jpeg_head import jpeg_size
from streaming.decoding.messages import Ended, Opened, Order
from streaming.decoding.outlet import Outlet
from streaming.decoding.screen import EvenGrid, Screen
from streaming.decoding.sound import SoundTrack
from streaming.media import SAMPLE_RATE, VideoFrame

RECORD = struct.Struct(">I")
"""Bytes of the record that follows."""

MAX_RECORD = 16 * 1024 * 1024

ABSENT_AFTER: Ms = 10_000
"""A kind of media that hasn't come for this long is told of."""

Read = Callable[[int], bytes]
"""Exactly so many bytes, or none at the end."""


class JpegDecoder:
    """One picture at a time, within the order's limits."""

    def __init__(self, max_pixels: int) -> None:
        self._max_pixels = max_pixels
        self._context: VideoCodecContext | None = None

    def check(self, jpeg: bytes) -> None:
        """Raises MediaError for a picture that says it is too large, or says no size."""
        width, height = jpeg_size(jpeg)
        if width * height > self._max_pixels:
            raise TooLargeError(f"a JPEG of {width}x{height} is too large")

    def decode(self, jpeg: bytes) -> av.VideoFrame | None:
        """The picture; None where the bytes are no whole one."""
        if self._context is None:
            made = CodecContext.create("mjpeg", "r")
            assert isinstance(made, VideoCodecContext)
            made.thread_count = 1
            made.options = {"max_pixels": str(self._max_pixels)}
            self._context = made
        try:
            frames = self._context.decode(av.Packet(jpeg))
        except av.error.MemoryError:
            raise
        except av.error.FFmpegError:
            return None
        return frames[0] if frames else None


class TooLargeError(MediaError):
    """A picture that would take too much memory: whoever sends one is not humoured."""


class FramedDecoding:
    """One stream of framed media being decoded."""

    def __init__(self, order: Order, read: Read, outlet: Outlet) -> None:
        self._order = order
        self._read = read
        self._outlet = outlet
        self._faults = Faults(order.max_corrupt, self._tell_corrupt)
        self._decoder = JpegDecoder(order.max_pixels)
        self._encoder = JpegEncoder(order.max_width, order.jpeg_quality, order.max_pixels)
        self._screen = Screen(EvenGrid(order.fps), self._show, begins=order.begins)
        self._sound = SoundTrack(outlet.send, begins=order.begins)
        self._edge: Ms = order.begins
        self._heard = self._seen = False
        self._shown: tuple[bytes, Picture | None] | None = None

    def run(self) -> None:
        """All of it, to its end."""
        self._outlet.send(Opened(None))
        self._outlet.flush()
        while record := self._record():
            self._take(parse_framed(record))
            self._keep_up()
            self._outlet.flush()
        self._finish()

    def _record(self) -> bytes:
        head = self._read(RECORD.size)
        if not head:
            return b""
        (size,) = RECORD.unpack(head)
        if size > MAX_RECORD:
            raise MediaError(f"a message of {size} bytes is too long")
        return self._read(size)

    def _take(self, framed: Framed) -> None:
        if framed.kind is FramedKind.JPEG:
            try:
                self._decoder.check(framed.payload)
            except TooLargeError:
                raise
            except MediaError:
                self._faults.bad("video")
                return
            self._screen.change(framed.payload, framed.t)
        else:
            self._heard = True
            self._sound.take(sound_of(framed), framed.us * SAMPLE_RATE // 1_000_000)
        self._edge = max(self._edge, framed.end_us // 1000)

    def _keep_up(self) -> None:
        begun = self._order.begins
        self._sound.fill_to(self._edge - self._order.sound_lag)
        if not self._screen.dark:
            self._screen.show_until(self._edge - self._order.picture_lag + 1)
        if self._edge > begun + ABSENT_AFTER:
            if not self._heard:
                self._outlet.tell_once("no-audio", self._edge, "no sound has come so far")
            if self._screen.dark:
                self._outlet.tell_once("no-video", self._edge, "no picture has come so far")

    def _finish(self) -> None:
        end = max(self._edge, self._sound.end)
        if not self._screen.dark:
            self._screen.show_until(end + 1 if self._screen.held_t == end else end)
        if not self._heard and not self._seen:
            raise NoMediaError(f"{self._order.name}: nothing in it could be decoded")
        self._sound.finish(end)
        self._faults.tell()
        self._outlet.send(Ended())

    def _show(self, jpeg: bytes, t: Ms) -> None:
        if self._shown is None or self._shown[0] is not jpeg:
            frame = self._decoder.decode(jpeg)
            if frame is None:
                self._faults.bad("video")
            else:
                self._faults.good("video")
            self._shown = jpeg, self._encoder.encode(frame, 1.0) if frame else None
        picture = self._shown[1]
        if picture is not None:
            self._seen = True
            self._outlet.send(
                VideoFrame(t, picture.jpeg, picture.width, picture.height, picture.hash)
            )

    def _tell_corrupt(self, count: int) -> None:
        text = f"{count} pictures so far could not be decoded; going on without them"
        self._outlet.tell("corrupt-packets", self._edge, text, count)


def sound_of(framed: Framed) -> av.AudioFrame:
    """A block of sound, as a decoder would have made it."""
    frame = av.AudioFrame(format="s16", layout="mono", samples=len(framed.payload) // 2)
    frame.sample_rate = framed.rate
    plane = frame.planes[0]
    plane.update(framed.payload.ljust(plane.buffer_size, b"\0"))
    return frame
