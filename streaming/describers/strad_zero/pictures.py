"""The pictures of the visual window: all that are new, and one from before to see motion by. Pure.

As images each stands after its time. As a video the model's own processor writes times from 0 on,
so the prompt says when the video begins; pictures that are missing are filled up by the last one.
"""

from __future__ import annotations

from strad.timeline import Ms
from strad_engines.messages import Image, Part, Text, Video
from streaming.describers.strad_zero.material import looked_at
from streaming.media import VideoFrame
from streaming.prompt.slots import slots
from streaming.prompt.times import decimal
from streaming.window import Window

PERIOD: Ms = 1_000
MOST_NEW = 7
"""New pictures at most, the newest; with the one before them as many as servers are set to take."""

TITLE = "Pictures, each after its time in seconds of the programme:"


def new_pictures(window: Window) -> tuple[VideoFrame, ...]:
    """Those of the visual window, oldest first."""
    new = looked_at(window)
    return tuple(f for f in window.frames if new.start < f.t <= new.end)[-MOST_NEW:]


def shown(window: Window) -> tuple[VideoFrame, ...]:
    """What the model is shown: the last picture before the new ones, and those."""
    new = new_pictures(window)
    before = [frame for frame in window.frames if new and frame.t < new[0].t]
    return (*before[-1:], *new)


def picture_parts(window: Window, *, video: bool) -> tuple[Part, ...]:
    """The pictures as parts of a message; none where nothing is new."""
    frames = shown(window)
    return _as_video(frames, window) if video and frames else _as_images(frames, window)


def _as_images(frames: tuple[VideoFrame, ...], window: Window) -> tuple[Part, ...]:
    new = looked_at(window).start
    parts: list[Part] = []
    for frame in frames:
        title = "" if parts else f"{TITLE}\n"
        note = "new" if frame.t > new else "earlier"
        parts += [Text(f"{title}{decimal(frame.t)} {note}\n"), Image(frame.jpeg)]
    return tuple(parts)


def _as_video(frames: tuple[VideoFrame, ...], window: Window) -> tuple[Part, ...]:
    filled = slots(frames, period=PERIOD, most=MOST_NEW + 1, paired=False, start=frames[0].t).frames
    begins = f"The video begins at {decimal(filled[0].t)} seconds of the programme."
    new = f"What it shows after {decimal(looked_at(window).start)} is new, the rest is earlier."
    return (
        Text(f"{begins} {new}\n"),
        Video(tuple(Image(frame.jpeg) for frame in filled), fps=1000 / PERIOD),
    )
