"""Packaged pictures without a person, and drawn ones, with all that may be said of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from streaming.media import VideoFrame
from tests.streaming.describers.facts.photos import SIZE, card, frame

FRAMES = 5
QUALITIES = (40, 60, 75, 85, 95)
GREY = 0.2
"""Share of the shots that are shown without colour."""
NEAREST = 0.35
"""The narrowest view, of the widest."""


@dataclass(frozen=True, slots=True)
class Peopleless:
    """A picture of no person; ``true`` are the things that may be named in it."""

    name: str
    package: str = ""
    folder: str = ""
    true: frozenset[str] = frozenset()
    text: bool = False
    """Whether there is anything to read in it."""

    def open(self) -> Image.Image:
        """RGB. Skips the test where the package isn't here."""
        if not self.package:
            return DRAWN[self.name]()
        spec = find_spec(self.package)
        if spec is None or spec.origin is None:
            pytest.skip(f"{self.package} is not here: pip install 'strad[demo]'")
        return Image.open(Path(spec.origin).parent / self.folder / self.name).convert("RGB")


def shots(picture: Image.Image, number: int, seed: str) -> Iterator[list[VideoFrame]]:
    """So many ways over it, five seconds each: view, movement, JPEG quality, colour or none."""
    for at in range(number):
        rng = Random(f"{seed}/{at}")
        first, last = _view(picture, rng), _view(picture, rng)
        quality, grey = rng.choice(QUALITIES), rng.random() < GREY
        shown = picture.convert("L").convert("RGB") if grey else picture
        yield [
            frame(_crop(shown, first, last, step / (2 * FRAMES)), step * 1000, quality)
            for step in range(FRAMES)
        ]


def _view(picture: Image.Image, rng: Random) -> tuple[float, float, float, float]:
    widest = min(picture.width, picture.height * SIZE[0] / SIZE[1])
    width = widest * rng.uniform(NEAREST, 1)
    height = width * SIZE[1] / SIZE[0]
    left = rng.uniform(0, picture.width - width)
    top = rng.uniform(0, picture.height - height)
    return left, top, left + width, top + height


def _crop(
    picture: Image.Image,
    first: tuple[float, float, float, float],
    last: tuple[float, float, float, float],
    part: float,
) -> Image.Image:
    a, b, c, d = (start + (end - start) * part for start, end in zip(first, last, strict=True))
    return picture.resize(SIZE, Image.Resampling.BILINEAR, box=(a, b, c, d))


def _noise(cells: tuple[int, ...]) -> Image.Image:
    """Random colours, from fine grain to soft clouds."""
    raw = np.random.default_rng(5).integers(0, 256, (*cells, 3), dtype=np.uint8)
    return _image(cv2.resize(raw, (640, 480), interpolation=cv2.INTER_CUBIC))


def _image(pixels: NDArray[np.generic]) -> Image.Image:
    return Image.fromarray(np.asarray(pixels, np.uint8)).convert("RGB")


def _gradient() -> Image.Image:
    return _image(np.tile(np.linspace(0, 255, 640), (480, 1)))


def _glow() -> Image.Image:
    down, across = np.mgrid[:480, :640]
    return _image(np.clip(255 - np.hypot(across - 320, down - 240), 0, 255))


DRAWN = {
    "grain": lambda: _noise((480, 640)),
    "blotches": lambda: _noise((40, 60)),
    "clouds": lambda: _noise((15, 20)),
    "gradient": _gradient,
    "glow": _glow,
    "card": lambda: card("The Peach Project"),
}


def _science(name: str, *true: str, text: bool = False) -> Peopleless:
    return Peopleless(name, "skimage", "data", frozenset(true), text)


PICTURES = (
    *map(_science, ("moon.png", "coins.png", "brick.png", "grass.png", "gravel.png")),
    *map(_science, ("hubble_deep_field.jpg", "retina.jpg", "cell.png", "ihc.png")),
    *map(_science, ("microaneurysms.png", "phantom.png", "chessboard_GRAY.png")),
    *map(_science, ("chessboard_RGB.png", "color.png")),
    _science("logo.png", text=True),
    _science("page.png", text=True),
    _science("text.png", text=True),
    _science("clock_motion.png", text=True),
    _science("horse.png", "horse"),
    _science("chelsea.png", "cat"),
    _science("coffee.png", "cup", "dining table"),
    _science("motorcycle_left.png", "motorcycle", "bicycle", "chair", "bottle", text=True),
    _science("rocket.jpg", "rocket", text=True),
    Peopleless("china.jpg", "sklearn", "datasets/images", frozenset({"building"})),
    Peopleless("flower.jpg", "sklearn", "datasets/images", frozenset({"potted plant"})),
    Peopleless("logo2.png", "matplotlib", "mpl-data/sample_data", text=True),
    Peopleless("Minduka_Present_Blue_Pack.png", "matplotlib", "mpl-data/sample_data", text=True),
    *(Peopleless(name, text=name == "card") for name in DRAWN),
)
