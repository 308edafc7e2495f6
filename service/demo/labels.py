"""What of a photograph is in view, where in the frame, and how close. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from service.demo.script import Thing

VISIBLE = 0.3
"""A thing is in view when this share of it is."""
LEFT, RIGHT = 0.45, 0.55
"""Its middle lies left of the one, or right of the other, as a share of the frame's width."""
CLOSE, CLOSE_FACE = 0.7, 0.3
"""It is close when it fills this share of the frame's height; less is enough for a person."""


class Box(NamedTuple):
    """A rectangle in pixels of the original photograph."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return max(0.0, self.right - self.left) * max(0.0, self.height)

    def inside(self, other: Box) -> Box:
        """The part of it that lies inside the other; of no area when none does."""
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class Labelled:
    """A thing and where it is."""

    box: Box
    thing: Thing

    def in_view(self, view: Box) -> bool:
        return self.box.inside(view).area >= VISIBLE * self.box.area


@dataclass(frozen=True, slots=True)
class Look:
    """What the camera shows of a photograph, and which part of the frame that fills."""

    view: Box
    left: float = 0.0
    width: float = 1.0
    """As shares of the frame's width."""


def seen(labels: Iterable[Labelled], looks: Iterable[Look]) -> tuple[Thing, ...]:
    """The things in view in at least one of the looks, with what the looks add to their traits."""
    looks = tuple(looks)
    found: list[Thing] = []
    for label in labels:
        added = [_traits(label, look) for look in looks if label.in_view(look.view)]
        if added:
            traits = (*label.thing.traits, *(trait for traits in added for trait in traits))
            found.append(label.thing.model_copy(update={"traits": tuple(dict.fromkeys(traits))}))
    return tuple(found)


def _traits(label: Labelled, look: Look) -> list[str]:
    part, view = label.box.inside(look.view), look.view
    middle = ((part.left + part.right) / 2 - view.left) / (view.right - view.left)
    across = look.left + middle * look.width
    side = "left" if across < LEFT else "right" if across > RIGHT else "middle"
    near = CLOSE_FACE if {"face", "person"} & set(label.thing.names) else CLOSE
    return [side, "close"] if part.height >= near * view.height else [side]
