"""Small real clips, made on the spot: each picture carries its own number as black/white bars."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from PIL import Image

BITS = 10
RATE = 48_000
X264 = "b-adapt=0:bframes=3:b-pyramid=normal:scenecut=0:threads=1"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to make. ``times`` are the pictures' own, in seconds; None: ``seconds * fps`` even."""

    container: str = "mp4"
    codec: str = "libx264"
    seconds: float = 4.0
    fps: int = 30
    size: tuple[int, int] = (320, 180)
    gop: int = 60
    sound: str | None = "aac"
    beeps: tuple[tuple[float, float], ...] = ()
    """Spans of a loud tone; the rest is digital silence."""
    video: bool = True
    start: float = 0.0
    """The first PTS, in seconds."""
    hole: tuple[float, float] | None = None
    """No packet is written in this span."""
    options: dict[str, str] = field(default_factory=dict)
    muxing: dict[str, str] = field(default_factory=dict)


def clip(recipe: Recipe) -> bytes:
    """The clip's bytes."""
    out = io.BytesIO()
    with av.open(out, "w", format=recipe.container, options=recipe.muxing) as container:
        video = _video(container, recipe) if recipe.video else None
        sound = _sound(container, recipe) if recipe.sound else None
        pictures = _pictures(recipe) if video else iter(())
        sounds = _sounds(recipe) if sound else iter(())
        upcoming = next(sounds, None)
        for t, picture in pictures:
            while sound and upcoming and upcoming.pts / RATE <= t + recipe.start:
                _mux(container, sound, upcoming, recipe)
                upcoming = next(sounds, None)
            _mux(container, video, picture, recipe)
        while sound and upcoming:
            _mux(container, sound, upcoming, recipe)
            upcoming = next(sounds, None)
        for stream in (video, sound):
            if stream:
                _mux(container, stream, None, recipe)
    return out.getvalue()


def faststart(recipe: Recipe) -> bytes:
    """An MP4 with its index in front."""
    with tempfile.NamedTemporaryFile(suffix=".mp4") as file:
        Path(file.name).write_bytes(clip(recipe))
        with av.open(file.name) as given, tempfile.NamedTemporaryFile(suffix=".mp4") as moved:
            with av.open(moved.name, "w", options={"movflags": "faststart"}) as out:
                tracks = [out.add_stream_from_template(stream) for stream in given.streams]
                for packet in given.demux():
                    if packet.size:
                        packet.stream = tracks[packet.stream.index]
                        out.mux(packet)
            return Path(moved.name).read_bytes()


def number_of(jpeg: bytes) -> int:
    """Which picture a JPEG shows."""
    image = np.asarray(Image.open(io.BytesIO(jpeg)).convert("L"))
    height, width = image.shape
    bar = width / BITS
    middles = [image[height // 2, int((i + 0.5) * bar)] > 127 for i in range(BITS)]
    return sum(1 << i for i, white in enumerate(middles) if white)


def loud(pcm: bytes, t: float) -> bool:
    """Whether there is tone in the 20 ms around ``t`` seconds of 16 kHz sound."""
    samples = np.frombuffer(pcm, "<i2").astype(np.int32)
    around = samples[int((t - 0.01) * 16_000) : int((t + 0.01) * 16_000)]
    return bool(len(around) and np.abs(around).max() > 2_000)


def fragmented(**changes: object) -> Recipe:
    """A fragmented MP4, as a browser records it."""
    flags = {"movflags": "frag_keyframe+empty_moov+default_base_moof", "frag_duration": "500000"}
    return Recipe(muxing=flags, **changes)  # type: ignore[arg-type]


def webm(**changes: object) -> Recipe:
    """A WebM, as a browser records it."""
    given: dict[str, object] = {
        "container": "webm",
        "codec": "libvpx",
        "sound": "libopus",
        "options": {"deadline": "realtime", "cpu-used": "8", "lag-in-frames": "0"},
        "muxing": {"cluster_time_limit": "300", "live": "1"},
    }
    return Recipe(**(given | changes))  # type: ignore[arg-type]


def _video(container: av.container.OutputContainer, recipe: Recipe) -> av.VideoStream:
    stream = container.add_stream(recipe.codec, rate=recipe.fps)
    assert isinstance(stream, av.VideoStream)
    stream.width, stream.height = recipe.size
    stream.pix_fmt = "yuv420p"
    stream.codec_context.gop_size = recipe.gop
    stream.codec_context.thread_count = 1
    stream.codec_context.time_base = Fraction(1, recipe.fps)
    options = dict(recipe.options)
    if recipe.codec == "libx264":
        options = {"preset": "veryfast", "x264-params": X264} | options
    stream.options = options
    return stream


def _sound(container: av.container.OutputContainer, recipe: Recipe) -> av.AudioStream:
    stream = container.add_stream(recipe.sound or "aac", rate=RATE, layout="stereo")
    assert isinstance(stream, av.AudioStream)
    return stream


def _pictures(recipe: Recipe) -> Iterator[tuple[float, av.VideoFrame]]:
    noise = np.random.default_rng(7).integers(0, 40, (recipe.size[1], recipe.size[0]))
    for index in range(int(recipe.seconds * recipe.fps)):
        gray = np.where(_bars(index, recipe.size), 200, 10) + noise
        frame = av.VideoFrame.from_ndarray(gray.astype(np.uint8), "gray").reformat(format="yuv420p")
        frame.pts = index + round(recipe.start * recipe.fps)
        frame.time_base = Fraction(1, recipe.fps)
        yield index / recipe.fps, frame


def _bars(index: int, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    width, height = size
    bits = (np.arange(width) * BITS // width)[None, :].repeat(height, 0)
    return (index >> bits & 1).astype(bool)


def _sounds(recipe: Recipe) -> Iterator[av.AudioFrame]:
    total, block = int(recipe.seconds * RATE), 960
    t = np.arange(total) / RATE
    tone = np.sin(2 * np.pi * 440 * t) * 12_000
    on = np.zeros(total, bool)
    for start, end in recipe.beeps:
        on |= (t >= start) & (t < end)
    samples = np.where(on, tone, 0).astype(np.int16)
    for at in range(0, total - block + 1, block):
        piece = np.repeat(samples[at : at + block], 2)[None, :]
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(piece), "s16", "stereo")
        frame.sample_rate = RATE
        frame.time_base = Fraction(1, RATE)
        frame.pts = at + round(recipe.start * RATE)
        yield frame


def _mux(
    container: av.container.OutputContainer,
    stream: av.VideoStream | av.AudioStream | None,
    frame: av.VideoFrame | av.AudioFrame | None,
    recipe: Recipe,
) -> None:
    assert stream is not None
    for packet in stream.encode(frame):  # type: ignore[arg-type]
        t = float((packet.pts or 0) * packet.time_base) - recipe.start
        if recipe.hole is None or not recipe.hole[0] <= t < recipe.hole[1]:
            container.mux(packet)
