"""The colours characters are marked with: the same one all through a film. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streaming.characters.bank import Character


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour and what it is called in a prompt."""

    name: str
    rgb: tuple[int, int, int]

    @property
    def ink(self) -> tuple[int, int, int]:
        """Black or white: what can be read on it (luminance by ITU-R BT.601)."""
        red, green, blue = self.rgb
        light = (299 * red + 587 * green + 114 * blue) // 1000
        return (0, 0, 0) if light >= 128 else (255, 255, 255)


COLOURS = (
    Colour("red", (255, 0, 0)),
    Colour("green", (0, 255, 0)),
    Colour("blue", (0, 0, 255)),
    Colour("yellow", (255, 255, 0)),
    Colour("pink", (255, 0, 255)),
    Colour("cyan", (0, 255, 255)),
    Colour("white", (255, 255, 255)),
    Colour("black", (0, 0, 0)),
    Colour("orange", (255, 140, 0)),
    Colour("brown", (120, 60, 20)),
)
"""AutoAD-Zero's names and order, and two more: as many as characters are looked for in a film."""


@dataclass(frozen=True, slots=True)
class Marked:
    """Somebody who was found, and what marks the face."""

    name: str
    colour: str


def colours_of(cast: Sequence[Character]) -> dict[str, Colour]:
    """Each character's colour, by id: by its place in the cast, so the same in every picture."""
    return {one.id: COLOURS[n % len(COLOURS)] for n, one in enumerate(cast)}
