"""A small HLS video, made on the spot: MPEG-TS segments whose clock does not begin at 0."""

from __future__ import annotations

import io
from fractions import Fraction

import av
import numpy as np

FPS = 10
SEGMENT = 2
"""Seconds of one segment: a key picture begins each."""


def segments(seconds: int, first_pts: int) -> list[bytes]:
    """H.264 in MPEG-TS, ``SEGMENT`` seconds each. ``first_pts``: in the 90 kHz clock."""
    return [_segment(n * SEGMENT, first_pts) for n in range(seconds // SEGMENT)]


def _segment(start: int, first_pts: int) -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format="mpegts") as container:
        stream = container.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 90_000)
        stream.options = {"bf": "0", "g": str(FPS * SEGMENT), "preset": "ultrafast"}
        for n in range(FPS * SEGMENT):
            shade = 40 + (start * FPS + n) % 150
            picture = av.VideoFrame.from_ndarray(
                np.full((96, 160, 3), shade, np.uint8), format="rgb24"
            )
            picture.pts = first_pts + start * 90_000 + n * 90_000 // FPS
            picture.time_base = Fraction(1, 90_000)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return out.getvalue()


def media_playlist(count: int, *, ended: bool) -> str:
    """Names the first ``count`` segments ``N.ts``."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:3", f"#EXT-X-TARGETDURATION:{SEGMENT}"]
    lines += ["#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:EVENT"]
    for n in range(count):
        lines += [f"#EXTINF:{SEGMENT:.3f},", f"{n}.ts"]
    return "\n".join([*lines, *(["#EXT-X-ENDLIST"] if ended else [])]) + "\n"
