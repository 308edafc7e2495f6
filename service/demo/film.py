"""Writes frames and sound as a WebM file: VP8 and Opus.

Both codecs are free of patents and of copyleft (libvpx and libopus are BSD), any browser plays
them, and WebM can be streamed from its first byte. See docs/adr/0014-demo-clip.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.video.stream import VideoStream
from numpy.typing import NDArray
from PIL import Image

from service.demo.narrator import RATE
from service.demo.screenplay import FRAME
from strad.timeline import Ms

Progress: TypeAlias = Callable[[Ms], None]
"""Told how much media time has been written."""

_VIDEO = {
    "deadline": "realtime",
    "cpu-used": "-8",  # negative: a fixed speed; a positive one follows the clock
    "g": "50",
    "auto-alt-ref": "0",
    "lag-in-frames": "0",
}
_CONTAINER = {"fflags": "bitexact", "cluster_time_limit": "1000"}
_PIECE = RATE * FRAME // 1000


def write_film(
    path: Path,
    frames: Iterable[Image.Image],
    sound: Iterable[NDArray[np.int16]],
    progress: Progress,
) -> None:
    """Write the film. All frames have one size.

    ``sound`` is mono, ``RATE`` samples a second, in blocks of any length.

    Raises OSError when the file can't be written.
    """
    with av.open(str(path), "w", format="webm", options=_CONTAINER) as container:
        audio = container.add_stream("libopus", rate=RATE, layout="mono")
        audio.bit_rate = 64_000
        video: VideoStream | None = None
        for index, (image, part) in enumerate(zip(frames, _pieces(sound), strict=False)):
            video = video or _video(container, image.size)
            _put_frame(container, video, image, index)
            _put_sound(container, audio, part, index)
            if index % 25 == 0:
                progress(index * FRAME)
        for stream in (video, audio):
            if stream is not None:
                container.mux(stream.encode(None))


def _video(container: OutputContainer, size: tuple[int, int]) -> VideoStream:
    stream = container.add_stream("libvpx", rate=1000 // FRAME, options=_VIDEO)
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    stream.bit_rate = 1_200_000
    stream.thread_count = 1  # libvpx's threads spin while they wait: twice the CPU for no gain
    return stream


def _put_frame(
    container: OutputContainer, stream: VideoStream, image: Image.Image, index: int
) -> None:
    frame = av.VideoFrame.from_ndarray(np.asarray(image), "rgb24")
    frame.pts, frame.time_base = index, Fraction(FRAME, 1000)
    container.mux(stream.encode(frame))


def _pieces(sound: Iterable[NDArray[np.int16]]) -> Iterator[NDArray[np.int16]]:
    """The same sound in pieces as long as a frame, and silence when it is over."""
    held = np.zeros(0, np.int16)
    for block in sound:
        held = np.concatenate([held, block])
        while len(held) >= _PIECE:
            yield held[:_PIECE]
            held = held[_PIECE:]
    while True:
        yield np.pad(held, (0, _PIECE - len(held)))
        held = held[:0]


def _put_sound(
    container: OutputContainer, stream: AudioStream, piece: NDArray[np.int16], index: int
) -> None:
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(piece)[None], "s16", "mono")
    frame.sample_rate = RATE
    frame.pts, frame.time_base = index * _PIECE, Fraction(1, RATE)
    container.mux(stream.encode(frame))
