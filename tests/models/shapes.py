"""Windows whose description is known: one shape of one colour moves one way, or nothing does.

What is shown, when, and what was heard and said before make the answer: AD for a shape that is seen
from its first picture to its last and has not been described yet, while nobody speaks at the end;
else WAIT. Programmes made of the same shapes are in ``programme``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms, subtract
from streaming.decoding.jpeg import dhash
from streaming.media import VideoFrame
from streaming.window import Window

COLOURS = {
    "red": (220, 40, 40),
    "green": (40, 180, 60),
    "blue": (50, 80, 230),
    "yellow": (235, 215, 40),
}
SHAPES = ("circle", "square", "triangle")
MOTIONS = ("left", "right")

SIDE = 64
"""Pixels of a square picture."""
WINDOW: Ms = 8_000
STRIDE: Ms = 2_000
CONTEXT: Ms = 120_000
WORD: Ms = 400
"""How long a word takes."""
SHOWN: Ms = 3_000
"""How long a shape is seen: four pictures of the grid, two pairs, first and last included."""
STARTS: tuple[Ms, ...] = (1_000, 3_000, 5_000)
"""Where a shape may begin in its window and still be seen to its end."""
CUT: tuple[Ms, ...] = (-1_000, 7_000)
"""Where half of it is outside the window."""
LINES = ("Hello.", "Who is there?", "Come in, please.", "I am here.")


@dataclass(frozen=True, slots=True)
class Shape:
    """What moves, and how it looks: ``size`` and ``height`` as shares of the picture's side."""

    colour: str
    form: str
    motion: str
    size: float = 0.255
    height: float = 0.5
    near: float = 0.275
    far: float = 0.725

    @property
    def text(self) -> str:
        """Its description."""
        return f"A {self.colour} {self.form} moves {self.motion}."

    def draw(self, picture: Image.Image, done: float) -> None:
        """Paint it ``done`` (0 to 1) of its way."""
        side = picture.width
        first, last = (self.near, self.far) if self.motion == "right" else (self.far, self.near)
        x, y = (first + (last - first) * done) * side, self.height * side
        r = self.size * side
        pen, colour = ImageDraw.Draw(picture), COLOURS[self.colour]
        if self.form == "circle":
            pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)
        elif self.form == "square":
            pen.rectangle((x - r, y - r, x + r, y + r), fill=colour)
        else:
            pen.polygon([(x, y - r), (x - r, y + r), (x + r, y + r)], fill=colour)


@dataclass(frozen=True, slots=True)
class Sample:
    """A window and what is to be said about it: a description and its time, or None."""

    window: Window
    shape: Shape | None
    said: tuple[str, Interval] | None


def reworded(sample: Sample) -> Sample:
    """The same window with left and right as on a stage, from within: what an adapter can teach."""
    if sample.said is None:
        return sample
    text, when = sample.said
    other = {"left.": "right.", "right.": "left."}
    return replace(sample, said=(" ".join(other.get(w, w) for w in text.split()), when))


def any_shape(rng: np.random.Generator) -> Shape:
    """One of the 24, not quite the same size, height and way each time."""
    return Shape(
        str(rng.choice(list(COLOURS))),
        str(rng.choice(SHAPES)),
        str(rng.choice(MOTIONS)),
        size=rng.uniform(0.24, 0.27),
        height=rng.uniform(0.47, 0.53),
        near=rng.uniform(0.2, 0.35),
        far=rng.uniform(0.65, 0.8),
    )


def picture(shape: Shape | None, done: float, grey: int, side: int = SIDE) -> Image.Image:
    """A plain ground, and the shape where it is."""
    image = Image.new("RGB", (side, side), (grey, grey, grey))
    if shape is not None:
        shape.draw(image, done)
    return image


def jpeg(image: Image.Image, rng: np.random.Generator | None = None) -> bytes:
    """The picture as it comes from a camera: a little noise, and JPEG."""
    pixels = np.asarray(image).astype(np.int16)
    if rng is not None:
        pixels = pixels + rng.integers(-2, 3, pixels.shape)
    out = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=90)
    return out.getvalue()


def done_at(t: Ms, start: Ms) -> float | None:
    """How far along its way a shape that begins at ``start`` is; None where it is not seen."""
    return (t - start) / SHOWN if start <= t <= start + SHOWN else None


def frames_of(
    shape: Shape | None, start: Ms, when: Interval, rng: np.random.Generator
) -> tuple[VideoFrame, ...]:
    """The eight pictures of the window, a second apart, the last at its end."""
    grey = int(rng.integers(120, 137))
    return tuple(
        _frame(t, shape, done_at(t, start), grey, rng)
        for t in range(when.start + 1_000, when.end + 1, 1_000)
    )


def _frame(
    t: Ms, shape: Shape | None, done: float | None, grey: int, rng: np.random.Generator
) -> VideoFrame:
    image = picture(shape if done is not None else None, done or 0.0, grey)
    return VideoFrame(t, jpeg(image, rng), SIDE, SIDE, hash=hash_of(image))


def hash_of(image: Image.Image) -> int:
    """The picture's difference hash, as the decoder takes it."""
    return dhash(image.convert("L").resize((9, 8), Image.Resampling.BILINEAR).tobytes(), 9)


def samples(
    seed: int, *, plain: bool = False, shares: tuple[float, ...] = (0.55, 0.12, 0.11, 0.11, 0.11)
) -> Iterator[Sample]:
    """Windows without end. ``plain``: shapes and empty pictures alone, nothing said or heard.

    ``shares``: of those to describe, empty, cut off at an edge, spoken over, described before.
    """
    rng = np.random.default_rng(seed)
    while True:
        yield _plain(rng) if plain else _full(rng, rng.choice(5, p=shares))


def _plain(rng: np.random.Generator) -> Sample:
    shape = None if rng.random() < 0.2 else any_shape(rng)
    start = int(rng.choice(STARTS))
    frames = frames_of(shape, start, Interval(0, WINDOW), rng)
    said = (shape.text, Interval(start, start + SHOWN)) if shape else None
    return Sample(window_of(frames, 0), shape, said)


def _full(rng: np.random.Generator, case: int) -> Sample:
    at = 2_000 * int(rng.integers(0, 60))
    end = at + WINDOW
    shape = None if case == 1 else any_shape(rng)
    start = at + int(rng.choice(CUT if case == 2 else STARTS))
    cues = _earlier(rng, at)
    if case == 4 and shape is not None:
        cues = (*cues, Cue(Interval(start, start + SHOWN), shape.text))
    words = _line(rng, at - 1_000 * int(rng.integers(2, 20))) if rng.random() < 0.5 else ()
    if case == 3:
        words = (*words, *_line(rng, end))
    window = window_of(frames_of(shape, start, Interval(at, end), rng), at, words, cues)
    said = shape is not None and case == 0
    return Sample(window, shape, (shape.text, Interval(start, start + SHOWN)) if said else None)


def window_of(
    frames: tuple[VideoFrame, ...],
    start: Ms,
    words: tuple[Word, ...] = (),
    cues: tuple[Cue, ...] = (),
) -> Window:
    """The window as the Session would build it, its gap the last one free of words and AD."""
    when = Interval(start, start + WINDOW)
    taken = [*(word.when for word in words), *(cue.when for cue in cues)]
    free = subtract(Interval(max(0, when.end - CONTEXT), when.end), taken)
    return Window(
        when=when,
        frames=frames,
        audio=(),
        words=words,
        words_final_to=when.end,
        history=cues,
        gap=free[-1] if free else None,
        new_from=when.end - STRIDE,
        speech=tuple(part for word in words if (part := word.when.intersect(when))),
    )


def _earlier(rng: np.random.Generator, until: Ms) -> tuple[Cue, ...]:
    """What was described before: other shapes, up to three, as far back as the context goes."""
    room = until // 8_000
    few = min(room, int(rng.integers(0, 4)))
    spots = sorted(rng.choice(room, few, replace=False)) if few else []
    starts = [8_000 * int(spot) + 1_000 for spot in spots]
    return tuple(Cue(Interval(s, s + SHOWN), any_shape(rng).text) for s in starts)


def _line(rng: np.random.Generator, end: Ms) -> tuple[Word, ...]:
    """A few words up to ``end``; none where that is before the stream began."""
    line = str(rng.choice(LINES)).split()
    begin = end - WORD * len(line)
    if begin < 0:
        return ()
    return tuple(
        Word(Interval(begin + WORD * n, begin + WORD * (n + 1)), word)
        for n, word in enumerate(line)
    )
