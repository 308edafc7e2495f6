"""The pictures a model is shown: evenly spaced slots on the absolute grid, pairs included. Pure.

Models that merge two frames into one (Qwen) do so by position. Pairs therefore are cut on the
absolute grid, (odd, even) steps, never from a window's start: the same two pictures are one pair in
every window that holds both. See docs/adr/0016.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from strad.timeline import Ms
from streaming.media import VideoFrame

SAME_SIZE = 100
"""A still picture's JPEG differs from the one before by less than this part of its length."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The pictures, ``period`` apart."""

    origin: Ms
    """Media time of the first; 0 s of all times the model reads and writes about now."""
    frames: tuple[VideoFrame, ...]


def slots(
    frames: tuple[VideoFrame, ...], *, period: Ms, most: int, paired: bool, start: Ms
) -> Slots:
    """The newest ``most`` grid pictures. A hole shows what was shown before it.

    ``start`` is the origin where there is no picture at all.
    """
    filled = _filled(frames, period)
    if not filled:
        return Slots(start, ())
    shown = (_paired(filled, period) if paired else filled)[-most:]
    return Slots(shown[0].t, shown)


def steady(frames: tuple[VideoFrame, ...]) -> tuple[VideoFrame, ...]:
    """The same slots, a picture that didn't change carrying the JPEG of the one before it.

    Unchanged: the same perceptual hash and nearly the same length of JPEG. So a server that
    remembers pictures by their bytes encodes a still one once.
    """
    out: list[VideoFrame] = []
    for frame in frames:
        out.append(replace(frame, jpeg=out[-1].jpeg) if out and _still(out[-1], frame) else frame)
    return tuple(out)


def _still(before: VideoFrame, now: VideoFrame) -> bool:
    if before.hash != now.hash or (before.width, before.height) != (now.width, now.height):
        return False
    return abs(len(before.jpeg) - len(now.jpeg)) * SAME_SIZE <= len(before.jpeg)


def _filled(frames: tuple[VideoFrame, ...], period: Ms) -> tuple[VideoFrame, ...]:
    """One picture for each grid time from the first to the last; none that is off the grid."""
    by_step = {frame.t // period: frame for frame in frames if frame.t % period == 0}
    if not by_step:
        return ()
    first, last = min(by_step), max(by_step)
    shown = by_step[first]
    filled: list[VideoFrame] = []
    for step in range(first, last + 1):
        shown = by_step.get(step, shown)
        t = step * period
        filled.append(shown if shown.t == t else replace(shown, t=t))
    return tuple(filled)


def _paired(frames: tuple[VideoFrame, ...], period: Ms) -> tuple[VideoFrame, ...]:
    """Whole pairs only: an odd picture at the front goes, the newest is shown twice to fill."""
    if len(frames) > 1 and frames[0].t // period % 2 == 0:
        frames = frames[1:]
    return (*frames, frames[-1]) if len(frames) % 2 else frames
