"""The detectors together: frames in, looks out. Blocking; run in one worker thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from streaming.describers.facts.detectors import Detector, Reader
from streaming.describers.facts.fusion import fused
from streaming.describers.facts.look import Line, Look
from streaming.describers.facts.picture import Picture, another_shot, stands, unchanged
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
        """Look at ``frames`` in order; an unchanged picture costs only its decoding.

        Text is read in one of them, the newest that changed: it is the dearest part. What of it
        stands in the others, pixel by pixel, was there too.
        """
        glances: list[Glance] = []
        newest = last
        for frame in frames:
            newest = self._glance(frame, newest)
            glances.append(newest)
        if newest is None or (last is not None and newest.picture is last.picture):
            return [glance.look for glance in glances], newest
        lines = tuple(self._reader.read(newest.picture))
        read = [_with_lines(glance, lines, newest.picture) for glance in glances]
        return [glance.look for glance in read], read[-1]

    def _glance(self, frame: VideoFrame, last: Glance | None) -> Glance:
        picture = Picture.of(frame)
        if last is not None and unchanged(last.picture, picture):
            return Glance(last.picture, replace(last.look, t=frame.t, cut=False))
        return Glance(picture, self._study(frame, picture, last))

    def _study(self, frame: VideoFrame, picture: Picture, last: Glance | None) -> Look:
        detectors = () if picture.drawn else self._detectors
        seen = [one for detector in detectors for one in detector.find(picture)]
        cut = last is not None and another_shot(last.picture, picture)
        return Look(frame.t, fused(seen), (), cut)


def _with_lines(glance: Glance, lines: Sequence[Line], read: Picture) -> Glance:
    """With the lines that were ``read`` elsewhere and stand here too; what was known stays."""
    if glance.look.lines:
        return glance
    there = tuple(line for line in lines if stands(line.box, read, glance.picture))
    return replace(glance, look=replace(glance.look, lines=there))
