"""What every detector of things does. One file a detector beside this one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from streaming.describers.facts.look import Detection, Line
from streaming.describers.facts.picture import Picture

WEAKEST = 0.3
"""Scores below are not reported."""


class Detector(Protocol):
    """Finds things in one picture. Not for two threads at once."""

    @property
    def name(self) -> str:
        """What evidence calls it."""

    def find(self, picture: Picture) -> Sequence[Detection]:
        """What it sees at WEAKEST or more, boxes clipped to the picture."""


class Reader(Protocol):
    """Reads the text in one picture. Not for two threads at once."""

    def read(self, picture: Picture) -> Sequence[Line]:
        """The lines large enough to be meant to be read."""
