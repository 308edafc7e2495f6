"""Qwen3.5: times as ``<0.1 seconds>``; pictures as one video, or as images with their times. Pure.

As a video, the model's processor writes a time before every pair of frames, ``<0.5 seconds>``,
``<2.5 seconds>`` and so on, from the first frame on; half the tokens of images. Where a server
takes no video, the times are ours, one before each image. A model knows only what it was trained
with.
"""

from __future__ import annotations

from strad_engines.messages import Image, Part, Text, Video
from streaming.prompt.line import LineForm
from streaming.prompt.profile import Profile
from streaming.prompt.slots import Slots
from streaming.prompt.times import TimeMarks
from streaming.window import Window

_MARKS = TimeMarks("<", " seconds>")
_FORM = LineForm(TimeMarks("<", ">"), reserved="<>")


def _video(shown: Slots, _: Window) -> tuple[Part, ...]:
    if not shown.frames:
        return ()
    return (Video(tuple(Image(frame.jpeg) for frame in shown.frames), fps=1.0),)


def _images(shown: Slots, _: Window) -> tuple[Part, ...]:
    parts: list[Part] = []
    for frame in shown.frames:
        parts += [Text(_MARKS(frame.t - shown.origin)), Image(frame.jpeg)]
    return tuple(parts)


VIDEO = Profile("qwen35-video", _MARKS, _FORM, _video, paired=True)
IMAGES = Profile("qwen35-images", _MARKS, _FORM, _images, paired=False)
