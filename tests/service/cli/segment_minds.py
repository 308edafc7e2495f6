"""What the seeing endpoint makes of a segment: it refuses what lacks something, and answers."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from tests.seeing.asked import Asked
from tests.seeing.mind import LackingError, seen_in

_MOMENT = re.compile(r"^Describe <(\d+\.\d) seconds> <(\d+\.\d) seconds>$", re.MULTILINE)
_UNTIL = re.compile(r"^Until <(\d+\.\d) seconds>$", re.MULTILINE)
_PICTURE = re.compile(r"<(\d+\.\d) seconds>")
_FACTS = re.compile(r"[Aa]n? (\w+ (?:circle|square|triangle)) (moves \w+|stands still)")
RED = (200, 60)
"""Of a box: at least so much red, at most so much of the others."""


def caption(asked: Asked) -> str:
    """What the pictures of the moment show; the people who are marked, if their boxes are seen."""
    moment, now = asked.seconds("Moment"), asked.seconds("Now")
    times = [picture.t for picture in asked.pictures if picture.t is not None]
    if len(moment) != 2 or len(now) != 1 or len(times) != 8:
        raise LackingError("8 pictures, the moment, or now")
    steps = [after - before for before, after in pairwise(times)]
    if max(steps) - min(steps) > 0.11 or times[-1] != now[0]:
        raise LackingError("evenly spaced pictures to the end")
    for picture, t in zip(asked.pictures, times, strict=True):
        place = "before" if t < moment[0] else "during" if t <= moment[1] else "after"
        if picture.note != place:
            raise LackingError(f"what the picture at {t} is")
    marked = asked.quoted("Marked")
    if marked:
        return " ".join(f"{who(asked, one)} looks on." for one in marked)
    during = [picture for picture in asked.pictures if picture.note == "during"]
    return seen_in(during, since=0.0)


def who(asked: Asked, marked: str) -> str:
    """The name of ``The Astronaut (red box)``, if there is such a box in any picture."""
    name, _, colour = marked.removesuffix(" box)").rpartition(" (")
    strong, weak = RED
    seen = [
        ((p.pixels[..., 0] > strong) & (p.pixels[..., 1:].max(axis=2) < weak)).sum()
        for p in asked.pictures
    ]
    if colour != "red" or max(seen) < 100:
        raise LackingError(f"a {colour} box")
    return name


def sentence(asked: Asked) -> str:
    """One sentence of what was seen."""
    seen = asked.quoted("Seen")
    if not seen or not re.search(r"^Time: \d+\.\d s, about \d+ words$", asked.text, re.MULTILINE):
        raise LackingError("what was seen, or for how long can be spoken")
    facts = _FACTS.search(seen[0])
    return f"A {facts[1]} {facts[2]}." if facts else seen[0]


def line(asked: Asked) -> str:
    """A fine-tuned model's line about a moment."""
    moment, until = _MOMENT.search(asked.text), _UNTIL.search(asked.text)
    times = [float(t) for t in _PICTURE.findall(asked.text.split("Describe")[0])]
    if not moment or not until or len(asked.pictures) != 8 or len(times) != 8:
        raise LackingError("8 pictures with their times, the moment, or until when")
    if times[0] != 0.0 or times[-1] != float(until[1]):
        raise LackingError("times from the first picture to the last")
    start, end = float(moment[1]), float(moment[2])
    shown = [
        replace(p, t=t + 1.0)
        for p, t in zip(asked.pictures, times, strict=True)
        if start <= t <= end
    ]
    facts = _FACTS.search(seen_in(shown, since=0.0))
    if facts is None:
        raise LackingError("a figure")
    return f"AD <{start}> A {facts[1]} {facts[2]}. <{end}>"
