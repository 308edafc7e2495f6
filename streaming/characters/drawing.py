"""Boxes around faces, each in its character's colour and with the name on a tag."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

from strad.errors import DescriberError
from streaming.characters.colours import Colour
from streaming.characters.faces import Pixels
from streaming.characters.identify import Known

QUALITY = 90
THIN = 160
"""Pixels of width for each pixel of a box's line, at least two."""
SMALLEST = 11
"""Pixels of a tag's letters; else a thirtieth of the height."""
LONGEST = 28
"""Characters on a tag."""


def pixels_of(jpeg: bytes, what: str) -> Pixels:
    """The picture. Raises DescriberError, which calls it ``what``, where it is none."""
    try:
        return np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"))
    except (UnidentifiedImageError, OSError) as error:
        raise DescriberError(f"{what} is no readable picture: {error}") from error


def drawn(pixels: Pixels, people: Sequence[Known], colours: Mapping[str, Colour]) -> bytes:
    """A JPEG of the picture with the people marked in it."""
    image = Image.fromarray(pixels)
    pen = ImageDraw.Draw(image)
    for known in people:
        _mark(pen, image.size, known, colours[known.character.id])
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _mark(pen: ImageDraw.ImageDraw, size: tuple[int, int], known: Known, colour: Colour) -> None:
    wide, high = size
    box = known.face.box
    left, top = box.left * wide, box.top * high
    edges = (left, top, box.right * wide, box.bottom * high)
    pen.rectangle(edges, outline=colour.rgb, width=max(2, wide // THIN))
    _tag(pen, size, (left, top), known.character.role, colour)


def _tag(
    pen: ImageDraw.ImageDraw,
    size: tuple[int, int],
    corner: tuple[float, float],
    name: str,
    colour: Colour,
) -> None:
    """The name above the box, or where there is no room, at the top; always inside the picture."""
    font = ImageFont.load_default(max(SMALLEST, size[1] // 30))
    said = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}\u2026"
    _, _, wide, high = pen.textbbox((0, 0), said, font=font)
    left = max(0.0, min(corner[0], size[0] - wide - 4))
    top = max(0.0, corner[1] - high - 4)
    pen.rectangle((left, top, left + wide + 4, top + high + 4), fill=colour.rgb)
    pen.text((left + 2, top + 1), said, fill=colour.ink, font=font)
