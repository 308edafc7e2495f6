"""A segment as a profile's messages, and its answer as text. Pure; shared by serving and training.

The same pictures, times and line as for a window, but the times of what is to be described are
given. Times count from the first picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from strad.decision import WaitReason
from strad.timeline import Interval, Ms
from strad_engines.messages import Message, Part, Text, Video
from streaming.prompt.elements import clean
from streaming.prompt.instructions import instructions
from streaming.prompt.languages import language_name
from streaming.prompt.line import WAIT, AdLine, first_line
from streaming.prompt.profile import Profile
from streaming.prompt.slots import Slots
from streaming.prompt.soundness import unfit
from streaming.window import Window

TEXT = "segment_v1"
"""The name of the instructions."""


def segment_messages(
    profile: Profile, window: Window, moment: Interval, names: Sequence[str]
) -> tuple[Message, ...]:
    """What is asked about ``moment`` with the window's pictures; ``names`` tell who is marked."""
    origin = window.frames[0].t
    shown = Slots(origin, window.frames)
    parts = [_timed(part, window) for part in profile.media(shown, window)]
    people = "; ".join(clean(name) for name in names)
    opening = (Text(f"Marked: {people}\n"),) if people else ()
    marks = profile.marks
    free = f"Describe {marks(moment.start - origin)} {marks(moment.end - origin)}"
    tail = Text(f"{free}\nUntil {marks(window.when.end - origin)}")
    told = instructions(TEXT).fill(
        ad=profile.form.ad("...", Interval(2_000, 4_500)), language=language_name(window.language)
    )
    return Message.of("system", told), Message("user", (*opening, *parts, tail))


def segment_line(profile: Profile, text: str, moment: Interval, origin: Ms) -> str:
    """The answer a model is trained to write. Raises ValueError for no text that can be written."""
    return profile.form.ad(text, moment.shift(-origin))


def read_segment(profile: Profile, answer: str, language: str) -> str | WaitReason:
    """The description in an answer; a bare sentence will do. Its times are those that were given.

    Never raises.
    """
    line = profile.form.read(answer)
    if line == WAIT:
        return WaitReason.MODEL_WAITS
    text = clean(line.text if isinstance(line, AdLine) else first_line(answer))
    return unfit(text, language) or text


def _timed(part: Part, window: Window) -> Part:
    """A video's pictures are as far apart as they are, not a second."""
    if not isinstance(part, Video) or len(window.frames) < 2:
        return part
    apart = (window.frames[-1].t - window.frames[0].t) / (len(window.frames) - 1)
    return replace(part, fps=1000 / apart)
