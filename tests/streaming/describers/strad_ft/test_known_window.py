"""Windows made from a seed, and their pictures: the same everywhere, and JPEGs to any decoder."""

from __future__ import annotations

import hashlib
import io

import pytest
from PIL import Image as Pillow

from streaming.describers.strad_ft.known_picture import Colour, picture
from streaming.describers.strad_ft.known_window import known_window

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("seed", range(6))
def test_the_window_is_the_same_everywhere_and_always(seed: int) -> None:
    window = known_window(seed)
    assert window == known_window(seed)
    assert window != known_window(seed + 1)
    assert len(window.frames) == 8
    assert len({frame.jpeg for frame in window.frames}) > 4
    assert all(frame.t <= window.when.end for frame in window.frames)
    assert all(word.when.end <= window.when.end for word in window.words)
    assert window.audio[0].when == window.when


COLOURS: list[Colour] = [
    (0, 128, 128), (255, 128, 128), (76, 85, 255), (150, 44, 21), (29, 255, 107), (128, 0, 255),
]  # fmt: skip


@pytest.mark.parametrize("width", [1, 2, 7, 40])
def test_pictures_are_jpegs_that_any_decoder_reads(width: int) -> None:
    blocks = [[COLOURS[(x * y + x) % 6] for x in range(width)] for y in range(5)]
    with Pillow.open(io.BytesIO(picture(blocks))) as opened:
        read = opened.convert("YCbCr") if opened.mode != "YCbCr" else opened
        assert read.size == (8 * width, 40)
        for y, row in enumerate(blocks):
            for x, colour in enumerate(row):
                assert near(read.getpixel((8 * x + 3, 8 * y + 4)), colour)


def near(found: object, colour: Colour) -> bool:
    """Out-of-gamut colours come back clipped by way of RGB; brightness stays where it was."""
    assert isinstance(found, tuple)
    red, green, blue = rgb(colour)
    inside = all(0 <= part <= 255 for part in (red, green, blue))
    return not inside or max(abs(a - b) for a, b in zip(found, colour, strict=True)) <= 3


def rgb(colour: Colour) -> tuple[float, float, float]:
    y, cb, cr = colour
    return (
        y + 1.402 * (cr - 128),
        y - 0.344 * (cb - 128) - 0.714 * (cr - 128),
        y + 1.772 * (cb - 128),
    )


def test_the_first_picture_has_these_bytes() -> None:
    digest = hashlib.sha256(known_window(11).frames[0].jpeg).hexdigest()
    assert digest[:16] == "387a0074d3393423"
