"""When a description is about, and which of its forms are offered. Pure.

StrAD, 4.1: the spoken length at 150 words a minute, centred in the visual window.
"""

from __future__ import annotations

from strad.speech import spoken_ms
from strad.timeline import Interval, Ms


def centred(text: str, seen: Interval) -> Interval:
    """The spoken length of ``text``, its middle in the middle of ``seen``; none before 0."""
    length = spoken_ms(text)
    start = max(0, (seen.start + seen.end - length) // 2)
    return Interval(start, start + max(1, length))


def inside(text: str, seen: Interval, shown: Interval) -> Interval:
    """The same, cut to ``shown``, which begins with the first new picture: nothing is foretold."""
    return centred(text, seen).intersect(shown) or shown


def fitting(forms: tuple[str, ...], room: Ms) -> str:
    """The longest form that can be said in ``room``; the shortest where none can."""
    fit = [form for form in forms if spoken_ms(form) <= room]
    return fit[-1] if fit else forms[0]
