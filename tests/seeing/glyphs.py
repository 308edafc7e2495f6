"""Text that pictures hold: drawn in cells of one size on a black box, and read back from pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import ascii_letters, digits

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

WIDE, HIGH, EDGE = 11, 20, 4
"""Pixels of a cell, and of the black around all cells."""
CHARACTERS = ascii_letters + digits + ".,!?'-:"
FONT = "mpl-data/fonts/ttf/DejaVuSansMono-Bold.ttf"
DARK = 60
"""Below this a pixel belongs to a box."""
INK = 40.0
"""A cell whose pixels are on average darker than this is a space."""

Grey = NDArray[np.float32]


@cache
def _font() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(files("matplotlib") / FONT), 16)


def size_of(text: str) -> tuple[int, int]:
    """Width and height of the box of a text, in pixels."""
    return len(text) * WIDE + 2 * EDGE, HIGH + 2 * EDGE


def write(picture: Image.Image, text: str, left: int, top: int) -> None:
    """Draw the box and the text in it. Raises ValueError for what could not be read again."""
    unknown = set(text) - set(CHARACTERS) - {" "}
    if unknown or not text.strip():
        raise ValueError(f"can't be written so that it is read again: {text!r}")
    wide, high = size_of(text)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((left, top, left + wide - 1, top + high - 1), fill=(0, 0, 0))
    for n, character in enumerate(text):
        picture.paste(_glyph(character), (left + EDGE + n * WIDE, top + EDGE))


@cache
def _glyph(character: str) -> Image.Image:
    cell = Image.new("L", (WIDE, HIGH), 0)
    ImageDraw.Draw(cell).text((0, 15), character, fill=255, font=_font(), anchor="ls")
    return cell.convert("RGB")


@cache
def _known() -> tuple[str, Grey]:
    cells = [np.asarray(_glyph(c).convert("L"), np.float32) for c in CHARACTERS]
    return CHARACTERS, np.stack(cells)


def read(box: Grey) -> str:
    """The text in a box that was cut out of a picture."""
    inner = box[EDGE : EDGE + HIGH]
    count = round((box.shape[1] - 2 * EDGE) / WIDE)
    cells = [inner[:, EDGE + n * WIDE : EDGE + (n + 1) * WIDE] for n in range(count)]
    return _joined(cells)


def _joined(cells: Sequence[Grey]) -> str:
    names, templates = _known()
    read = []
    for cell in cells:
        if cell.shape != (HIGH, WIDE) or float(np.sort(cell, axis=None)[-6:].mean()) < 2 * INK:
            read.append(" ")
            continue
        off = np.abs(templates - cell).mean(axis=(1, 2))
        read.append(names[int(off.argmin())])
    return " ".join("".join(read).split())
