"""What the seeing endpoint makes of a document's passes. It answers from what it is given alone.

Two faults of real models are built in, so that the passes have something to put right: ``hasty``
names are used from the first moment on, whatever the prompt says; and what is seen is described
whether it was described before or not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial

from tests.seeing.asked import Asked
from tests.seeing.eyes import look
from tests.seeing.mind import NOTHING, Answer, LackingError, must, seen_in

_LINE = re.compile(r'^(\w+) \d+\.\d-\d+\.\d (heard|read|seen) (".*")$', re.MULTILINE)
_KNOWN = re.compile(r'^(p\d+) (".*?") looks (".*?")(?: named (".*"))?$', re.MULTILINE)
_NAME = re.compile(r'^Name: (".*?") is (".*?")$', re.MULTILINE)
_CALLED = re.compile(r"[Tt]he (\w+ (?:circle|square|triangle)) is (?:called )?([A-Z]\w+)")
_ALIAS = re.compile(r"([A-Z]\w+) is also called ([A-Z]\w+)")
_SEEN = re.compile(
    r"[Aa] (\w+ (?:circle|square|triangle))(?:,)? (moves (?:right|left|up|down)|stands still)\."
)
HOW = {
    "right": "slowly and steadily to the right of the grey room",
    "left": "slowly and steadily to the left of the grey room",
    "up": "up towards the ceiling of the grey room",
    "down": "down towards the floor of the grey room",
}


def document_tasks(hasty: Mapping[str, str] | None = None) -> dict[str, Answer]:
    """The answers to all passes; ``hasty``: look to the name that is used too early."""
    return {
        "document-look": look_through,
        "document-entities": who_is_who,
        "document-write": partial(write, hasty=hasty or {}),
        "document-shorten": shorten,
    }


def look_through(asked: Asked) -> str:
    """What the new pictures show, and the story with it."""
    must(asked, "now", "pictures", "new pictures", "context")
    story = _needed(asked, "Story so far")[0]
    since = asked.seconds("New")[0]
    seen = seen_in(asked.pictures, since=since)
    sights = [look(p.pixels) for p in asked.pictures if p.t is not None and p.t > since]
    people = dict.fromkeys(figure.look for sight in sights for figure in sight.figures)
    read = dict.fromkeys(title for sight in sights for title in sight.titles)
    return json.dumps(
        {
            "seen": "" if seen == NOTHING else seen,
            "people": list(people),
            "read": list(read),
            "importance": 0 if seen == NOTHING else 2,
            "synopsis": f"{story} {'' if seen == NOTHING else seen}".strip(),
        }
    )


def who_is_who(asked: Asked) -> str:
    """Everybody whose look stands in the lines, with the names that the lines give."""
    if "People known:" not in asked.text or "Lines:" not in asked.text:
        raise LackingError("who is known, and the lines")
    known = {json.loads(look): id for id, _, look, _ in _KNOWN.findall(asked.text)}
    called = {
        json.loads(name): json.loads(look)
        for _, _, look, name in _KNOWN.findall(asked.text)
        if name
    }
    people: dict[str, dict[str, object]] = {}
    for id, kind, rest in _LINE.findall(asked.text):
        text, _ = json.JSONDecoder().raw_decode(rest)
        given = _CALLED.findall(text) if kind == "heard" else []
        given += [(called.get(name, ""), alias) for name, alias in _ALIAS.findall(text)]
        looks = [shown for shown, _ in _SEEN.findall(text)] if kind == "seen" else []
        for shown, name in [*((shown, "") for shown in looks), *given]:
            person = people.setdefault(shown, _person(shown, known)) if shown else {}
            if name and person:
                called[name] = shown
                person["names"] = [*_names(person), {"name": name, "from": id}]
    return json.dumps({"people": list(people.values())})


def _person(shown: str, known: Mapping[str, str]) -> dict[str, object]:
    return {
        "id": known.get(shown, ""),
        "looks": [shown],
        "description": f"the {shown}",
        "names": [],
    }


def _names(person: dict[str, object]) -> list[dict[str, str]]:
    names = person["names"]
    assert isinstance(names, list)
    return names


def write(asked: Asked, *, hasty: Mapping[str, str]) -> str:
    """The newest of what is seen, in three lengths; by the name that is given, or hastily."""
    must(asked, "now", "context", "free")
    _needed(asked, "Story so far")
    room = re.search(r"^Room for words: (\d+)$", asked.text, re.MULTILINE)
    if room is None:
        raise LackingError("how many words there is room for")
    given = {json.loads(what): json.loads(name) for what, name in _NAME.findall(asked.text)}
    seen = [
        pair
        for quoted in re.findall(r' seen ("(?:[^"\\]|\\.)*")', asked.text)
        for pair in _SEEN.findall(json.loads(quoted))
    ]
    if not seen:
        return json.dumps(dict.fromkeys(("short", "medium", "long")))
    shown, does = seen[-1]
    who = hasty.get(shown) or given.get(f"the {shown}") or f"A {shown}"
    way = does.partition(" ")[2]
    return json.dumps(
        {
            "short": f"{who} {does}.",
            "medium": f"{who} {does}, all alone.",
            "long": f"{who} {does}, {HOW.get(way, 'and waits in the middle of the grey room')}.",
        }
    )


def shorten(asked: Asked) -> str:
    """The first words, as many as there is room for."""
    text = _needed(asked, "Description")[0]
    room = re.search(r"^Room for words: (\d+)$", asked.text, re.MULTILINE)
    if room is None:
        raise LackingError("how many words there is room for")
    words = text.rstrip(".").split()[: int(room[1])]
    while words and words[-1].strip(",") in {"of", "the", "to", "and", "grey"}:
        words.pop()
    return json.dumps({"text": f"{' '.join(words).rstrip(',')}."})


def _needed(asked: Asked, label: str) -> list[str]:
    found = asked.quoted(label)
    if not found:
        raise LackingError(label)
    return found
