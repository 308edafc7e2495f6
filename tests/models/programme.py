"""Programmes whose description is known: shapes that come, move and go at their times, and speech.

A programme is a plan; it is rendered to a video file, or played as frames and sound as they come.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from strad.cues import Cue
from strad.timeline import Interval, Ms
from streaming.hearing import Heard, SpeechKnown, WordsKnown
from streaming.media import SAMPLES_PER_MS, AudioChunk, VideoFrame
from tests.models import shapes
from tests.models.shapes import Shape

FPS, RATE = 5, 48_000
TICK: Ms = 100
"""How much sound comes at once."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A shape and when it begins to be seen."""

    start: Ms
    shape: Shape

    @property
    def when(self) -> Interval:
        """When it is seen, as a description gives it."""
        return Interval(self.start, self.start + shapes.SHOWN)


@dataclass(frozen=True, slots=True)
class Programme:
    """What is seen when, and what is said when."""

    length: Ms
    shown: tuple[Shown, ...]
    said: tuple[Cue, ...] = ()

    @property
    def descriptions(self) -> list[Cue]:
        """What should be said: all that is seen to its end while nobody speaks at that end."""
        return [
            Cue(shown.when, shown.shape.text)
            for shown in self.shown
            if not any(
                line.when.start < shown.when.end + 4_000 and line.when.end > shown.when.end
                for line in self.said
            )
        ]

    def picture(self, t: Ms) -> tuple[Shape | None, float]:
        """What is seen at ``t``, and how far along its way."""
        for shown in self.shown:
            # Seen a little before and after, so that the grid's pictures at either end show it.
            if shown.start - TICK <= t <= shown.when.end + TICK:
                return shown.shape, min(1.0, max(0.0, (t - shown.start) / shapes.SHOWN))
        return None, 0.0

    def captions(self) -> str:
        """What is said, as WebVTT."""
        lines = ["WEBVTT", ""]
        for line in self.said:
            lines += [f"{_stamp(line.when.start)} --> {_stamp(line.when.end)}", line.text, ""]
        return "\n".join(lines)


OPENING = (Cue(Interval(200, 3_600), "Hello."), Cue(Interval(3_800, 7_400), "I am here."))
"""Spoken until eight pictures have been seen: a first lesson has no shorter windows."""


def programme(seed: int, length: Ms = 108_000) -> Programme:
    """A shape every ten seconds or so, none twice; over the ends of two of them somebody speaks."""
    rng = np.random.default_rng(seed)
    kinds = list(itertools.product(shapes.COLOURS, shapes.SHAPES, shapes.MOTIONS))
    order = rng.permutation(len(kinds))
    begins = [21_000 + 12_000 * n + 2_000 * int(rng.integers(0, 2)) for n in range(len(kinds))]
    shown = tuple(
        Shown(start, Shape(*kinds[int(kind)]))
        for start, kind in zip(begins, order, strict=True)
        if start < length - 9_000
    )
    said = tuple(
        Cue(Interval(shown[n].when.end - 1_200, shown[n].when.end + 4_000), text)
        for n, text in ((1, "Who is there?"), (4, "Come in, please."))
    )
    return Programme(length, shown, (*OPENING, *said))


def render(plan: Programme, path: Path, fps: int = FPS) -> Path:
    """The programme as a WebM file: VP8, and silence."""
    rng = np.random.default_rng(0)
    with av.open(str(path), "w", format="webm") as out:
        video = out.add_stream("libvpx", rate=fps)
        video.width = video.height = shapes.SIDE
        video.pix_fmt = "yuv420p"
        video.bit_rate = 2_000_000
        video.options = {
            "deadline": "realtime",
            "cpu-used": "4",
            "crf": "4",
            "qmin": "0",
            "qmax": "12",
        }
        sound = out.add_stream("libopus", rate=RATE, layout="mono")
        for n in range(plan.length * fps // 1000 + 1):
            shape, done = plan.picture(n * 1000 // fps)
            image = _noisy(shapes.picture(shape, done, 128), rng)
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            frame.pts, frame.time_base = n, Fraction(1, fps)
            out.mux(video.encode(frame))
            out.mux(sound.encode(_silence(n, fps)))
        out.mux(video.encode())
        out.mux(sound.encode())
    return path


async def live(
    plan: Programme, over: asyncio.Event
) -> AsyncIterator[VideoFrame | AudioChunk | Heard]:
    """The programme as it is broadcast, over and over, until ``over`` is set; nobody speaks."""
    loop = asyncio.get_running_loop()
    rng = np.random.default_rng(0)
    begun = loop.time()
    t: Ms = 0
    while not over.is_set():
        await asyncio.sleep(max(0.0, begun + t / 1000 - loop.time()))
        if t % 1_000 == 0:
            shape, done = plan.picture(t % plan.length)
            image = shapes.picture(shape, done, 128)
            side = shapes.SIDE
            yield VideoFrame(t, shapes.jpeg(image, rng), side, side, hash=shapes.hash_of(image))
        yield AudioChunk(t, bytes(2 * TICK * SAMPLES_PER_MS))
        t += TICK
        yield SpeechKnown(t, ())
        yield WordsKnown(t, ())


def _silence(n: int, fps: int) -> av.AudioFrame:
    """As long as the ``n``-th picture is shown."""
    block = RATE // fps
    silence = av.AudioFrame.from_ndarray(np.zeros((1, block), np.int16), "s16", "mono")
    silence.sample_rate, silence.pts = RATE, n * block
    silence.time_base = Fraction(1, RATE)
    return silence


def _noisy(image: object, rng: np.random.Generator) -> np.ndarray:
    pixels = np.asarray(image).astype(np.int16)
    return np.clip(pixels + rng.integers(-2, 3, pixels.shape), 0, 255).astype(np.uint8)


def _stamp(t: Ms) -> str:
    return f"{t // 3_600_000:02}:{t // 60_000 % 60:02}:{t // 1000 % 60:02}.{t % 1000:03}"
