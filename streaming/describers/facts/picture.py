"""A decoded frame, and how much two of them differ: the same picture, or another shot."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from strad.errors import DescriberError
from streaming.describers.facts.box import Box
from streaming.media import VideoFrame

THUMB = (64, 36)
BLOCK = 4
"""The thumbnail is compared in blocks of this many pixels a side, so small titles count."""

DRAWN = 0.8
"""Share of pixels in two narrow bands of grey from which it is a card or a drawing: films stay
below 0.6, and detectors of things take what they see there for clocks and persons (measured)."""
BAND = 9
"""Grey levels in one band."""

SAME_LINE = 0.7
"""Correlation from which a line of text stands unchanged in two pictures."""

SAME_BLOCK = 8.0
"""Grey levels (of 255) by which no block may differ in an unchanged picture."""
CUTS = ((25, 35.0, 0.2), (20, 40.0, 0.4))
"""Bits of the hash, mean grey levels, share of colours: another shot where one row is reached.
Measured on films at 1 fps; fast pans stay below."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Pixels are (height, width, 3) uint8, blue first; ``thumb`` is grey, ``colours`` sums to 1."""

    pixels: NDArray[np.uint8]
    hash: int
    thumb: NDArray[np.float32]
    colours: NDArray[np.float32]

    @property
    def drawn(self) -> bool:
        """Whether it is hardly more than one tone on another: no photograph, no film."""
        counts = np.bincount(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY).ravel(), minlength=256)
        bands = np.convolve(counts, np.ones(BAND), "same")
        first = int(bands.argmax())
        both = bands[first]
        bands[max(0, first - BAND) : first + BAND + 1] = 0
        return bool(both + bands.max() >= DRAWN * counts.sum())

    @classmethod
    def of(cls, frame: VideoFrame) -> Picture:
        """Decode. Raises DescriberError when the JPEG is broken."""
        decoded = cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
        if decoded is None:
            raise DescriberError(f"the frame at {frame.t} ms is no readable JPEG")
        pixels = np.asarray(decoded, np.uint8)
        grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
        thumb = cv2.resize(grey, THUMB, interpolation=cv2.INTER_AREA)
        return cls(pixels, frame.hash, np.asarray(thumb, np.float32), _colours(pixels))


def unchanged(one: Picture, other: Picture) -> bool:
    """Whether the two show the same, small text included."""
    rows, columns = THUMB[1] // BLOCK, THUMB[0] // BLOCK
    apart = np.abs(one.thumb - other.thumb).reshape(rows, BLOCK, columns, BLOCK)
    return float(apart.mean(axis=(1, 3)).max()) < SAME_BLOCK


def another_shot(one: Picture, other: Picture) -> bool:
    """Whether a cut lies between the two."""
    bits = (one.hash ^ other.hash).bit_count()
    grey = float(np.abs(one.thumb - other.thumb).mean())
    colours = float(np.abs(one.colours - other.colours).sum()) / 2
    return any(bits >= b and grey >= g and colours >= c for b, g, c in CUTS)


def stands(box: Box, one: Picture, other: Picture) -> bool:
    """Whether both show the same in the box: a line of text, over whatever moves behind it."""
    if one is other:
        return True
    if one.pixels.shape != other.pixels.shape:
        return False
    here, there = (cv2.cvtColor(_cut_out(box, it), cv2.COLOR_BGR2GRAY) for it in (one, other))
    return float(cv2.matchTemplate(here, there, cv2.TM_CCOEFF_NORMED).item()) >= SAME_LINE


def _cut_out(box: Box, picture: Picture) -> NDArray[np.uint8]:
    height, width = picture.pixels.shape[:2]
    top, left = int(box.top * height), int(box.left * width)
    bottom = max(top + 1, math.ceil(box.bottom * height))
    return picture.pixels[top:bottom, left : max(left + 1, math.ceil(box.right * width))]


def _colours(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    bins = [np.bincount(pixels[::2, ::2, c].ravel() >> 4, minlength=16) for c in range(3)]
    counts = np.concatenate(bins).astype(np.float32)
    return np.asarray(counts / counts.sum(), np.float32)
