"""Phi-4-multimodal: times as ``(t=0.1)``, pictures as images, the sound as one WAV file. Pure."""

from __future__ import annotations

from strad.timeline import Interval
from strad_engines.messages import Audio, Image, Part, Text
from streaming.prompt.line import LineForm
from streaming.prompt.profile import Profile
from streaming.prompt.slots import Slots
from streaming.prompt.times import TimeMarks
from streaming.prompt.wav import wav
from streaming.window import Window

_MARKS = TimeMarks("(t=", ")")
_FORM = LineForm(_MARKS, reserved="()<>")


def _media(shown: Slots, window: Window) -> tuple[Part, ...]:
    """The sound begins with the first picture and ends at the cursor."""
    parts: list[Part] = []
    for frame in shown.frames:
        parts += [Text(_MARKS(frame.t - shown.origin)), Image(frame.jpeg)]
    if window.audio and shown.origin < window.when.end:
        parts.append(Audio(wav(window.audio, Interval(shown.origin, window.when.end))))
    return tuple(parts)


PHI4MM = Profile("phi4mm", _MARKS, _FORM, _media, paired=False)
