"""What the seeing endpoint makes of a request: for each task what it must hold, and the answer.

To teach it a task, write a function of ``Asked`` that refuses (``LackingError``) what lacks
something and answers from what is really there; pass it to ``seeing`` under the task's name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tests.seeing.asked import Asked, Picture
from tests.seeing.eyes import Seen, Sight, look

Answer: TypeAlias = Callable[[Asked], str]

NOTHING = "NOTHING"
STEP = 2.5
"""Pixels between two pictures from which on a figure moves."""
_FIGURE = re.compile(
    r"(?:(?P<name>[A-Z]\w+), )?[Aa] (?P<look>\w+ (?:circle|square|triangle))(?:,)? "
    r"(?P<does>moves (?P<way>right|left|up|down)|stands still)\."
)
"""What is worth a description: not a figure of whom only one picture is there yet."""
_WORDS = re.compile(r"The words (?P<words>'[^\n]*?') appear\.")


class LackingError(ValueError):
    """The request lacks something that the task needs."""


def must(asked: Asked, *needed: str) -> None:
    """Refuse what lacks any of what ``_HAS`` lists. Raises LackingError."""
    for need in needed:
        if not _HAS[need](asked):
            raise LackingError(f"task {asked.task} lacks {need}")


def _timed_pictures(asked: Asked) -> bool:
    """Pictures, each with its time, rising, none after now, up to within a second of it."""
    times = [picture.t for picture in asked.pictures]
    now = asked.seconds("Now")
    if not times or not now or any(t is None for t in times):
        return False
    rising = [t for t in times if t is not None]
    return rising == sorted(set(rising)) and now[0] - 1.0 <= rising[-1] <= now[0]


def _new_pictures(asked: Asked) -> bool:
    """One picture for each whole second of the new span."""
    new, times = asked.seconds("New"), {picture.t for picture in asked.pictures}
    if len(new) != 2:
        return False
    grid = range(int(new[0]) + 1, int(new[1]) + 1)
    return all(float(second) in times for second in grid)


def _context(asked: Asked) -> bool:
    """Both what was heard and what was described, even if it is said that there was nothing."""
    head = "Heard and described earlier, in seconds of the programme:" in asked.text
    return head and bool(asked.told or "\n(nothing)" in asked.text)


_HAS: Mapping[str, Callable[[Asked], bool]] = {
    "pictures": _timed_pictures,
    "new pictures": _new_pictures,
    "context": _context,
    "caption": lambda asked: bool(asked.quoted("Caption")),
    "free": lambda asked: len(asked.seconds("Free of speech")) == 2,
    "now": lambda asked: len(asked.seconds("Now")) == 1,
}


def caption(asked: Asked) -> str:
    """What the new pictures show: figures and how they move, words; or that there is nothing."""
    must(asked, "now", "pictures", "new pictures")
    return seen_in(asked.pictures, since=asked.seconds("New")[0])


def seen_in(pictures: Sequence[Picture], since: float) -> str:
    """Sentences about all that is seen after ``since``; earlier pictures only tell motion."""
    sights = [look(picture.pixels) for picture in pictures]
    new = [
        sight
        for picture, sight in zip(pictures, sights, strict=True)
        if picture.t is not None and picture.t > since
    ]
    looks = dict.fromkeys(figure.look for sight in new for figure in sight.figures)
    titles = dict.fromkeys(title for sight in new for title in sight.titles)
    lines = [_figure_line(name, sights) for name in looks]
    lines += [f"The words '{title}' appear." for title in titles]
    return " ".join(lines) or NOTHING


def _figure_line(name: str, sights: Sequence[Sight]) -> str:
    found = [figure for sight in sights for figure in sight.figures if figure.look == name]
    label = next((figure.label for figure in found if figure.label), "")
    who = f"{label}, a {name}," if label else f"A {name}"
    return f"{who} {_doing(found)}."


def _doing(found: Sequence[Seen]) -> str:
    if len(found) == 1:
        return "appears"
    first, last, steps = found[0], found[-1], len(found) - 1
    right, down = (last.x - first.x) / steps, (last.y - first.y) / steps
    if max(abs(right), abs(down)) < STEP:
        return "stands still"
    if abs(right) >= abs(down):
        return "moves right" if right > 0 else "moves left"
    return "moves down" if down > 0 else "moves up"


def decide(asked: Asked) -> str:
    """Whether anything in the caption is worth saying and was not described yet."""
    must(asked, "now", "context", "caption", "free")
    return "AD" if _untold(asked.quoted("Caption")[0], asked.described()) else "WAIT"


def _untold(seen: str, described: Sequence[str]) -> list[dict[str, str]]:
    """What the sentences of a caption tell that no earlier description did."""
    before = " ".join(described).casefold()
    found = [match.groupdict() for match in _FIGURE.finditer(seen)]
    new: list[dict[str, str]] = [
        {key: value or "" for key, value in figure.items()}
        for figure in found
        if not _told(figure, before)
    ]
    words = [match["words"] for match in _WORDS.finditer(seen)]
    return [*new, *({"words": word} for word in words if word.casefold() not in before)]


def _told(figure: dict[str, str], before: str) -> bool:
    if figure["look"] not in before:
        return False
    return figure["way"] is None or f"{figure['look']} moves {figure['way']}" in before


def describe(asked: Asked) -> str:
    """The description of what is new, in three lengths, as JSON."""
    must(asked, "now", "context", "caption", "free")
    untold = _untold(asked.quoted("Caption")[0], asked.described())
    return json.dumps(_three(untold[0])) if untold else "{}"


def _three(new: dict[str, str]) -> dict[str, str]:
    if "words" in new:
        words = new["words"]
        return {
            "kind": "text",
            "short": f"Words: {words}.",
            "medium": f"Words appear: {words}.",
            "long": f"Words appear on the screen: {words}.",
        }
    who = f"{new['name']}, a {new['look']}," if new["name"] else f"A {new['look']}"
    if new["does"] == "stands still":
        return {
            "kind": "scene",
            "short": f"{who} stands still.",
            "medium": f"{who} stands still in the room.",
            "long": f"{who} stands still, all alone in the middle of the grey room.",
        }
    return {
        "kind": "action",
        "short": f"{who} {new['does']}.",
        "medium": f"{who} {new['does']} through the room.",
        "long": f"{who} {new['does']}, slowly and steadily, through the empty grey room.",
    }


def watch(asked: Asked) -> str:
    """All three stages at once."""
    must(asked, "now", "context", "pictures", "new pictures", "free")
    seen = seen_in(asked.pictures, since=asked.seconds("New")[0])
    untold = [] if seen == NOTHING else _untold(seen, asked.described())
    if not untold:
        return json.dumps({"seen": seen, "decision": "WAIT"})
    return json.dumps({"seen": seen, "decision": "AD", **_three(untold[0])})


TASKS: Mapping[str, Answer] = {
    "caption": caption,
    "decide": decide,
    "describe": describe,
    "watch": watch,
}
