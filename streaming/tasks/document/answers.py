"""What models answer to the document's passes, read leniently. Pure.

None means that an answer can't be used and may be asked for again. Nothing here raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from strad.passes import NameGuess, PersonGuess
from strad.speech import count_words
from streaming.prompt.elements import clean
from streaming.prompt.soundness import refuses, stammers, unfit

MOST_READ = 20_000
MOST_TEXT = 600
MOST_ITEMS = 40
"""Characters of an answer, of one text in it, and members of one list."""
MOST_SEEN = 12
"""People, or texts on screen, of one step: a crowd is no cast."""
FORMS = ("short", "medium", "long")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen in one step."""

    seen: str
    people: tuple[str, ...]
    read: tuple[str, ...]
    importance: int
    synopsis: str


def read_look(answer: str, *, synopsis_words: int, language: str) -> Look | None:
    """What was seen; a synopsis that is too long keeps its end, the newest."""
    found = _fields(answer)
    if found is None or "seen" not in found or refuses(str(found["seen"]), language):
        return None
    seen, synopsis = _text(found["seen"]), clean(str(found.get("synopsis") or ""))
    words = synopsis.split()
    return Look(
        seen,
        _texts(found.get("people"))[:MOST_SEEN],
        _texts(found.get("read"))[:MOST_SEEN],
        _importance(found.get("importance")) if seen else 0,
        " ".join(words[-synopsis_words:]),
    )


def read_people(answer: str) -> tuple[PersonGuess, ...] | None:
    """Who is who."""
    found = _fields(answer)
    listed = found.get("people") if found else None
    if not isinstance(listed, list):
        return None
    return tuple(_guess(one) for one in listed[:MOST_ITEMS] if isinstance(one, dict))


def read_forms(answer: str, language: str) -> tuple[str, ...] | None:
    """The description, short to long; empty where the model has nothing to say."""
    found = _fields(answer)
    if found is None:
        return None
    texts = dict.fromkeys(_text(found.get(name)) for name in FORMS)
    told = [text for text in texts if text]
    fit = [text for text in told if unfit(text, language) is None and not stammers(text)]
    if told and not fit:
        return None
    return tuple(sorted(fit, key=count_words))


def read_shorter(answer: str, language: str, words: int) -> str | None:
    """The shorter description, if it is one that may be spoken."""
    found = _fields(answer)
    text = _text(found.get("text")) if found else ""
    sound = unfit(text, language) is None and not stammers(text)
    return text if sound and count_words(text) <= words else None


def _fields(answer: str) -> dict[str, Any] | None:
    """The JSON object in an answer, talk and fences around it left out."""
    said = _THOUGHT.sub(" ", answer[:MOST_READ])
    start, end = said.find("{"), said.rfind("}")
    if not 0 <= start < end:
        return None
    try:
        found = json.loads(said[start : end + 1], strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _guess(one: dict[str, Any]) -> PersonGuess:
    names = one.get("names")
    listed = [n for n in names if isinstance(n, dict)] if isinstance(names, list) else []
    return PersonGuess(
        id=_text(one.get("id")),
        looks=_texts(one.get("looks")),
        description=_text(one.get("description")),
        names=tuple(
            NameGuess(name=_text(n.get("name")), source=_text(n.get("from")))
            for n in listed[:MOST_ITEMS]
            if _text(n.get("name"))
        ),
    )


def _importance(told: object) -> int:
    return min(3, max(0, int(told))) if isinstance(told, int | float) and told == told else 1


def _texts(listed: object) -> tuple[str, ...]:
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return ()
    return tuple(dict.fromkeys(text for one in listed[:MOST_ITEMS] if (text := _text(one))))


def _text(told: object) -> str:
    return clean(told)[:MOST_TEXT] if isinstance(told, str) else ""
