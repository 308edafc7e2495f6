"""A box in a picture, in fractions of its width and height. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """Edges as fractions: 0 is the left or top edge of the picture, 1 the right or bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, middle: tuple[float, float], width: float, height: float) -> Box:
        """The box of this size around a point."""
        x, y = middle
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def width(self) -> float:
        return max(0.0, self.right - self.left)

    @property
    def height(self) -> float:
        return max(0.0, self.bottom - self.top)

    @property
    def area(self) -> float:
        """Share of the picture covered."""
        return self.width * self.height

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def of(self, shape: tuple[int, ...]) -> Box:
        """From pixels of a picture of ``shape`` (height, width, ...) to fractions, clipped."""
        high, wide = shape[:2]
        return Box(
            self.left / wide, self.top / high, self.right / wide, self.bottom / high
        ).clipped()

    def clipped(self) -> Box:
        """The part inside the picture."""

        def inside(x: float) -> float:
            return min(1.0, max(0.0, x))

        left, top = inside(self.left), inside(self.top)
        return Box(left, top, max(left, inside(self.right)), max(top, inside(self.bottom)))

    def shared(self, other: Box) -> float:
        """Area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0.0

    def overlap(self, other: Box) -> float:
        """Shared area over the area of both together, 0 to 1."""
        shared = self.shared(other)
        both = self.area + other.area - shared
        return shared / both if both > 0 else 0.0

    def inside_share(self, other: Box) -> float:
        """Shared area over the smaller box, 0 to 1."""
        smaller = min(self.area, other.area)
        return self.shared(other) / smaller if smaller > 0 else 0.0

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether the point lies in it."""
        x, y = point
        return self.left <= x <= self.right and self.top <= y <= self.bottom
