"""One decoded picture -> a small JPEG and its perceptual hash."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import av
from av.codec.context import CodecContext
from av.video.codeccontext import VideoCodecContext
from av.video.reformatter import ColorRange, Interpolation, VideoReformatter

from strad.errors import MediaError

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG with its size in pixels and its 64-bit difference hash."""

    jpeg: bytes
    width: int
    height: int
    hash: int


class JpegEncoder:
    """Scales, encodes and hashes. Keeps one scaler a use: FFmpeg 8 leaks none that way."""

    def __init__(self, max_width: int, quality: int, max_pixels: int) -> None:
        self._max_width = max_width
        self._quantiser = quantiser(quality)
        self._max_pixels = max_pixels
        self._scaler = VideoReformatter()
        self._shrinker = VideoReformatter()
        self._encoder: VideoCodecContext | None = None
        self._count = 0

    def encode(self, frame: av.VideoFrame, aspect: float) -> Picture:
        """The picture at most ``max_width`` wide, upright; ``aspect`` is that of one pixel."""
        if frame.width * frame.height > self._max_pixels:
            raise MediaError(f"a picture of {frame.width}x{frame.height} is too large")
        width, height = fitted(frame.width, frame.height, aspect, self._max_width)
        turned = frame.rotation
        small = self._scaled(frame, width, height)
        if turned % 360:
            small = self._upright(small, turned)
        return Picture(self._jpeg(small), small.width, small.height, self._dhash(small))

    def _scaled(self, frame: av.VideoFrame, width: int, height: int) -> av.VideoFrame:
        return self._scaler.reformat(
            frame,
            width,
            height,
            "yuvj420p",
            dst_color_range=ColorRange.JPEG,
            interpolation=Interpolation.BILINEAR,
            threads=1,
        )

    def _upright(self, frame: av.VideoFrame, turned: int) -> av.VideoFrame:
        image = frame.to_image().rotate(turned, expand=True)  # type: ignore[no-untyped-call]
        width, height = fitted(image.width, image.height, 1.0, self._max_width)
        upright = av.VideoFrame.from_image(image)  # type: ignore[no-untyped-call]
        return self._scaled(upright, width, height)

    def _jpeg(self, frame: av.VideoFrame) -> bytes:
        encoder = self._encoder
        if encoder is None or (encoder.width, encoder.height) != (frame.width, frame.height):
            encoder = self._encoder = self._encoder_for(frame.width, frame.height)
        frame.pts, frame.time_base = self._count, ONE
        self._count += 1
        return b"".join(bytes(packet) for packet in encoder.encode(frame))

    def _encoder_for(self, width: int, height: int) -> VideoCodecContext:
        encoder = CodecContext.create("mjpeg", "w")
        assert isinstance(encoder, VideoCodecContext)
        encoder.width, encoder.height, encoder.pix_fmt = width, height, "yuvj420p"
        encoder.time_base = ONE
        encoder.thread_count = 1
        encoder.options = {"qmin": str(self._quantiser), "qmax": str(self._quantiser)}
        return encoder

    def _dhash(self, frame: av.VideoFrame) -> int:
        tiny = self._shrinker.reformat(
            frame, 9, 8, "gray", interpolation=Interpolation.AREA, threads=1
        )
        plane = tiny.planes[0]
        return dhash(bytes(plane), plane.line_size)


def quantiser(quality: int) -> int:
    """The MJPEG quantiser that comes nearest to libjpeg's ``quality`` of 1 to 100."""
    scale = 50 / quality if quality < 50 else 2 - quality / 50
    return min(31, max(2, round(16 * scale)))


def fitted(width: int, height: int, aspect: float, max_width: int) -> tuple[int, int]:
    """Even pixels, square ones, at most ``max_width`` wide; never enlarged but to an even size."""
    shown = width * aspect
    across = min(shown, max_width)
    down = height * across / shown
    return max(2, round(across / 2) * 2), max(2, round(down / 2) * 2)


def dhash(gray: bytes, stride: int) -> int:
    """The difference hash of 9x8 gray pixels: a bit is set where brightness falls rightwards."""
    bits = 0
    for y in range(8):
        row = gray[y * stride : y * stride + 9]
        for left, right in pairwise(row):
            bits = bits << 1 | (left > right)
    return bits
