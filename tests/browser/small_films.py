"""Small WebM films for pages, made on the spot: black with a tone, a picture without sound."""

from __future__ import annotations

import io
from fractions import Fraction

import av
import numpy as np

FPS = 5
RATE = 48_000
SIZE = (320, 180)


def film(seconds: int, *, black: bool, tone: bool) -> bytes:
    """A moving picture, or a black one; with a tone, or with no audio at all."""
    out = io.BytesIO()
    with av.open(out, "w", format="webm") as container:
        video = container.add_stream("libvpx", rate=FPS)
        video.width, video.height, video.pix_fmt = *SIZE, "yuv420p"
        video.options = {"deadline": "realtime", "cpu-used": "8", "g": str(FPS)}
        audio = container.add_stream("libopus", rate=RATE, layout="mono") if tone else None
        for second in range(seconds):
            for n in range(second * FPS, (second + 1) * FPS):
                container.mux(video.encode(_picture(n, black)))
            if audio is not None:
                container.mux(audio.encode(_tone(second)))
        for stream in (video, audio):
            if stream is not None:
                container.mux(stream.encode(None))
    return out.getvalue()


def _picture(number: int, black: bool) -> av.VideoFrame:
    width, height = SIZE
    pixels = np.zeros((height, width, 3), np.uint8)
    if not black:
        pixels[:, (number * 8) % width :] = 200
    frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
    frame.pts, frame.time_base = number, Fraction(1, FPS)
    return frame


def _tone(second: int) -> av.AudioFrame:
    wave = 0.3 * np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)
    frame = av.AudioFrame.from_ndarray(
        (wave * 32_767).astype(np.int16)[None], format="s16", layout="mono"
    )
    frame.sample_rate = RATE
    frame.pts, frame.time_base = second * RATE, Fraction(1, RATE)
    return frame
