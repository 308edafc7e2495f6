"""The detectors together: frames in, looks out. Blocking; run in one worker thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from streaming.describers.facts.detectors import Detector, Reader
from streaming.describers.facts.fusion import fused
from streaming.describers.facts.look import Look
from streaming.describers.facts.picture import Picture, another_shot, unchanged
from streaming.media import VideoFrame


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """The newest picture that the detectors ran on, and what they made of it."""

    picture: Picture
    look: Look


class Eyes:
    """Shared by all streams; what it must remember of one is passed in and out."""

    def __init__(self, detectors: Sequence[Detector], reader: Reader) -> None:
        self._detectors = tuple(detectors)
        self._reader = reader

    @property
    def sees_things(self) -> bool:
        """Whether there is any detector besides the text reader."""
        return bool(self._detectors)

    def look(
        self, frames: Sequence[VideoFrame], last: Glance | None
    ) -> tuple[list[Look], Glance | None]:
        """Look at ``frames`` in order; an unchanged picture costs only its decoding."""
        looks: list[Look] = []
        for frame in frames:
            picture = Picture.of(frame)
            if last is not None and unchanged(last.picture, picture):
                look = replace(last.look, t=frame.t, cut=False)
            else:
                look = self._study(frame, picture, last)
                last = Glance(picture, look)
            looks.append(look)
        return looks, last

    def _study(self, frame: VideoFrame, picture: Picture, last: Glance | None) -> Look:
        detectors = () if picture.drawn else self._detectors
        seen = [one for detector in detectors for one in detector.find(picture)]
        cut = last is not None and another_shot(last.picture, picture)
        return Look(frame.t, fused(seen), tuple(self._reader.read(picture)), cut)
