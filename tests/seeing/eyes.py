"""What is seen in a picture: figures by colour and outline, and the words written in it."""

from __future__ import annotations

import io
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from tests.seeing import glyphs
from tests.seeing.film import HEIGHT, TALK_TOP, WIDTH

Pixels = NDArray[np.uint8]

HUES = {"red": 0, "yellow": 54, "green": 129, "cyan": 183, "blue": 230, "purple": 286}
"""In degrees."""
NEAR = 22
"""Degrees by which a hue may differ."""
LEAST = 300
"""Pixels of the smallest figure."""
OUTLINES = {"triangle": (0.40, 0.62), "circle": (0.70, 0.86), "square": (0.90, 1.01)}
"""What share of its bounding box a form fills."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One figure in one picture."""

    look: str
    """``red circle``."""
    x: float
    y: float
    bottom: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """All there is in one picture."""

    figures: tuple[Seen, ...]
    titles: tuple[str, ...]
    captions: tuple[str, ...]


def decoded(data: bytes) -> Pixels:
    """The picture in a JPEG or PNG. Raises ValueError for what is none."""
    try:
        image = Image.open(io.BytesIO(data))
        image.load()
    except (UnidentifiedImageError, OSError) as error:
        raise ValueError(f"not a picture: {error}") from None
    if image.size != (WIDTH, HEIGHT):
        image = image.resize((WIDTH, HEIGHT), Image.Resampling.BILINEAR)
    return np.asarray(image.convert("RGB"))


def look(pixels: Pixels) -> Sight:
    """Everything in the picture, figures from left to right."""
    figures, words = _figures(pixels), _words(pixels)
    titles = [text for text, _, top in words if top < HEIGHT // 6]
    captions = [text for text, _, top in words if top > TALK_TOP - 6]
    between = [word for word in words if HEIGHT // 6 <= word[2] <= TALK_TOP - 6]
    named = tuple(_with_label(figure, between) for figure in figures)
    return Sight(named, tuple(titles), tuple(captions))


def _with_label(figure: Seen, words: list[tuple[str, float, int]]) -> Seen:
    for text, middle, top in words:
        if abs(middle - figure.x) < 40 and abs(top - figure.bottom) < 30:
            return Seen(figure.look, figure.x, figure.y, figure.bottom, text)
    return figure


def _figures(pixels: Pixels) -> list[Seen]:
    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV))
    strong = (saturation > 90) & (value > 90)
    found: list[Seen] = []
    for colour, degrees in HUES.items():
        off = np.abs((hue.astype(np.int16) * 2 - degrees + 180) % 360 - 180)
        mask = (strong & (off < NEAR)).astype(np.uint8)
        count, _, stats, middles = cv2.connectedComponentsWithStats(mask)
        for n in range(1, count):
            _, top, wide, high, area = (int(v) for v in stats[n])
            form = _form(area / (wide * high)) if area >= LEAST else None
            if form:
                x, y = (float(v) for v in middles[n])
                found.append(Seen(f"{colour} {form}", x, y, top + high))
    return sorted(found, key=lambda seen: seen.x)


def _form(share: float) -> str | None:
    return next((form for form, (low, high) in OUTLINES.items() if low <= share <= high), None)


def _words(pixels: Pixels) -> list[tuple[str, float, int]]:
    """Each text, its middle from the left, and the top of its box."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    count, _, stats, _ = cv2.connectedComponentsWithStats((grey < glyphs.DARK).astype(np.uint8))
    found: list[tuple[str, float, int]] = []
    for n in range(1, count):
        left, top, wide, high, _ = (int(v) for v in stats[n])
        if (
            abs(high - glyphs.HIGH - 2 * glyphs.EDGE) > 2
            or wide < glyphs.WIDE + 2 * glyphs.EDGE - 2
        ):
            continue
        box = grey[top : top + high, left : left + wide].astype(np.float32)
        if text := glyphs.read(box):
            found.append((text, left + wide / 2, top))
    return sorted(found, key=lambda word: (word[2], word[1]))
