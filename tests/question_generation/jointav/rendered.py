"""A film rendered on the spot: plain rooms of a colour each, with music, a bang, and silence."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image

from tests.streaming.made_sounds import gunshot, music, room

SIZE = (160, 96)
RATE, FPS = 16_000, 25
SHOTS = (("red", 6.0), ("green", 6.0), ("blue", 6.0), ("grey", 6.0))
COLOURS = {"red": (200, 30, 30), "green": (30, 180, 40), "blue": (30, 50, 210)}
COLOURS |= {"grey": (128, 128, 128)}
LINES = ((1.0, "Who left the window open?"), (7.0, "I told you, I was never here."))
LINES += ((13.0, "Run!"), (19.0, "It is over now."))
MUSIC, BANG = (6.0, 12.0), 15.0
"""Seconds: where there is music, and when it bangs."""


def rendered(folder: Path) -> Path:
    """The film, and its subtitles beside it as ``film.vtt``."""
    path = folder / "film.mkv"
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=FPS, options={"preset": "ultrafast"})
        video.width, video.height, video.pix_fmt = *SIZE, "yuv420p"
        audio = out.add_stream("pcm_s16le", rate=RATE, layout="mono")
        for number, colour in enumerate(_pictures()):
            frame = av.VideoFrame.from_ndarray(colour, "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            out.mux(video.encode(frame))
        out.mux(video.encode(None))
        sound = av.AudioFrame.from_ndarray(_sound()[None], "s16", "mono")
        sound.sample_rate, sound.pts, sound.time_base = RATE, 0, Fraction(1, RATE)
        out.mux(audio.encode(sound))
        out.mux(audio.encode(None))
    cues = [f"00:{int(t):02d}.000 --> 00:{int(t) + 2:02d}.000\n{said}\n" for t, said in LINES]
    (folder / "film.vtt").write_text("\n".join(["WEBVTT\n", *cues]))
    return path


def colour_of(jpeg: bytes) -> str:
    """Which room a picture shows: what the viewer in the tests sees."""
    mean = np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB")).reshape(-1, 3).mean(0)
    return min(COLOURS, key=lambda name: float(np.abs(mean - COLOURS[name]).sum()))


def _pictures() -> list[np.ndarray]:
    found = []
    for name, seconds in SHOTS:
        for number in range(round(seconds * FPS)):
            picture = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
            picture[:] = COLOURS[name]
            at = 4 + number % (SIZE[0] - 20)
            picture[40:56, at : at + 12] = 250
            found.append(picture)
    return found


def _sound() -> np.ndarray:
    total = round(sum(seconds for _, seconds in SHOTS) * 1000)
    sound = room(total).copy()
    start, end = (round(t * RATE) for t in MUSIC)
    sound[start:end] += music(round((MUSIC[1] - MUSIC[0]) * 1000), level=0.3)[: end - start]
    bang = gunshot()
    at = round(BANG * RATE)
    sound[at : at + len(bang)] += bang
    return (np.clip(sound, -1, 1) * 32767).astype("<i2")
