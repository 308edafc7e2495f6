"""Films whose description is known: figures come, move and go, words are read, people speak."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw

from strad.cues import Cue
from strad.timeline import Interval, Ms
from tests.seeing import glyphs

WIDTH, HEIGHT = 320, 180
FPS, RATE = 5, 48_000
GROUND = (128, 128, 128)
COLOURS = {
    "red": (220, 40, 40),
    "yellow": (235, 215, 40),
    "green": (40, 180, 60),
    "cyan": (40, 205, 215),
    "blue": (50, 80, 230),
    "purple": (170, 60, 205),
}
FORMS = ("circle", "square", "triangle")
MOTIONS = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1), "still": (0, 0)}
SIZE = 26
"""Half of a figure's width, in pixels."""
TITLE_TOP, TALK_TOP = 3, HEIGHT - 31
"""Where titles and the captions of dialogue are written."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Who or what moves while it is seen; with a name, written under it where it is given."""

    when: Interval
    colour: str
    form: str
    motion: str = "still"
    label: str = ""
    at: tuple[float, float] = (0.5, 0.41)
    """The middle of its way, as shares of width and height."""

    @property
    def look(self) -> str:
        """``red circle``."""
        return f"{self.colour} {self.form}"

    def place(self, t: Ms) -> tuple[float, float]:
        """Its middle at ``t``, in pixels."""
        done = (t - self.when.start) / max(1, self.when.duration) - 0.5
        right, down = MOTIONS[self.motion]
        return (
            self.at[0] * WIDTH + right * done * 0.5 * WIDTH,
            self.at[1] * HEIGHT + down * done * 0.15 * HEIGHT,
        )


@dataclass(frozen=True, slots=True)
class Title:
    """Words on screen that belong to the programme."""

    when: Interval
    text: str


@dataclass(frozen=True, slots=True)
class Film:
    """What is seen when, read when, and said when."""

    length: Ms
    figures: tuple[Figure, ...]
    titles: tuple[Title, ...] = ()
    said: tuple[Cue, ...] = ()
    burned_in: bool = False
    """Whether what is said is written into the picture, too."""

    def picture(self, t: Ms) -> Image.Image:
        """What is seen at ``t``."""
        image = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
        for figure in self.figures:
            if figure.when.start <= t < figure.when.end:
                _draw(image, figure, t)
        for title in self.titles:
            if title.when.start <= t < title.when.end:
                glyphs.write(image, title.text, _centred(title.text), TITLE_TOP)
        for cue in self.said if self.burned_in else ():
            if cue.when.start <= t < cue.when.end:
                glyphs.write(image, cue.text, _centred(cue.text), TALK_TOP)
        return image

    def captions(self) -> str:
        """What is said, as WebVTT."""
        lines = ["WEBVTT", ""]
        for cue in self.said:
            lines += [f"{_stamp(cue.when.start)} --> {_stamp(cue.when.end)}", cue.text, ""]
        return "\n".join(lines)


def _centred(text: str) -> int:
    return (WIDTH - glyphs.size_of(text)[0]) // 2


def _draw(image: Image.Image, figure: Figure, t: Ms) -> None:
    x, y = figure.place(t)
    box = (x - SIZE, y - SIZE, x + SIZE, y + SIZE)
    pen, colour = ImageDraw.Draw(image), COLOURS[figure.colour]
    match figure.form:
        case "circle":
            pen.ellipse(box, fill=colour)
        case "square":
            pen.rectangle(box, fill=colour)
        case "triangle":
            pen.polygon([(x, y - SIZE), (x - SIZE, y + SIZE), (x + SIZE, y + SIZE)], fill=colour)
        case other:
            raise ValueError(f"no form {other!r}")
    if figure.label:
        wide, high = glyphs.size_of(figure.label)
        left = min(max(0, round(x - wide / 2)), WIDTH - wide)
        glyphs.write(image, figure.label, left, min(round(y + SIZE + 4), TALK_TOP - high - 4))


def render(film: Film, path: Path, fps: int = FPS) -> Path:
    """The film as a WebM file: VP8, and silence."""
    with av.open(str(path), "w", format="webm") as out:
        video = out.add_stream("libvpx", rate=fps)
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        video.bit_rate = 2_000_000
        quality = {"crf": "4", "qmin": "0", "qmax": "12"}
        video.options = {"deadline": "realtime", "cpu-used": "8", **quality}
        sound = out.add_stream("libopus", rate=RATE, layout="mono")
        for n in range(film.length * fps // 1000 + 1):
            pixels = np.asarray(film.picture(n * 1000 // fps))
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = n, Fraction(1, fps)
            out.mux(video.encode(frame))
            out.mux(sound.encode(_silence(n, fps)))
        out.mux(video.encode())
        out.mux(sound.encode())
    return path


def _silence(n: int, fps: int) -> av.AudioFrame:
    """As long as the ``n``-th picture is shown."""
    block = RATE // fps
    silence = av.AudioFrame.from_ndarray(np.zeros((1, block), np.int16), "s16", "mono")
    silence.sample_rate, silence.pts = RATE, n * block
    silence.time_base = Fraction(1, RATE)
    return silence


def _stamp(t: Ms) -> str:
    return f"{t // 3_600_000:02}:{t // 60_000 % 60:02}:{t // 1000 % 60:02}.{t % 1000:03}"
