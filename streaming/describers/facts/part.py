"""A part of a picture as small nets are shown it: in the middle of a square, or turned upright."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """Full height; in pixels of the picture."""

    left: int
    width: int
    height: int

    @classmethod
    def whole(cls, pixels: NDArray[np.uint8]) -> Part:
        """All of the picture."""
        height, width = pixels.shape[:2]
        return cls(0, width, height)

    @property
    def side(self) -> int:
        """Of the square around it."""
        return max(self.width, self.height)

    def squared(self, pixels: NDArray[np.uint8], size: int) -> NDArray[np.float32]:
        """It in the middle of a black square of ``size`` pixels a side, -1 to 1, red first."""
        top, left = (self.side - self.height) // 2, (self.side - self.width) // 2
        square = np.zeros((self.side, self.side, 3), np.uint8)
        shown = pixels[:, self.left : self.left + self.width]
        square[top : top + self.height, left : left + self.width] = shown
        small = cv2.resize(square, (size, size), interpolation=cv2.INTER_AREA)
        return np.asarray(small[:, :, ::-1].astype(np.float32) / 127.5 - 1, np.float32)

    def place(self, x: float, y: float) -> Point:
        """From fractions of the square to pixels of the picture."""
        across = x * self.side - (self.side - self.width) // 2 + self.left
        return across, y * self.side - (self.side - self.height) // 2


@dataclass(frozen=True, slots=True)
class Turned:
    """A square in the picture, in pixels, turned clockwise by ``turn`` radians."""

    middle: Point
    side: float
    turn: float

    def cut_out(self, pixels: NDArray[np.uint8], size: int) -> NDArray[np.float32]:
        """It made upright, ``size`` pixels a side, 0 to 1, red first."""
        upright = cv2.warpAffine(
            pixels,
            self._to_picture(size),
            (size, size),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        red_first = cv2.cvtColor(upright, cv2.COLOR_BGR2RGB)
        return np.asarray(red_first.astype(np.float32) / 255, np.float32)

    def _to_picture(self, size: int) -> NDArray[np.float64]:
        scale, half, (x, y) = self.side / size, size / 2, self.middle
        across, down = scale * cos(self.turn), scale * sin(self.turn)
        to_x = [across, -down, x - (across - down) * half]
        return np.asarray([to_x, [down, across, y - (down + across) * half]])
