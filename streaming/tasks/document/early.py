"""Names used before the programme gives them, by the dialogue alone. Pure.

The second guard: ``mentions`` knows the characters, this catches a name that nobody was found for.
A name is a word that the dialogue writes with a capital in the middle of a sentence. A word that
the programme never gives is no name for this rule: there is no telling it from a place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from strad.timeline import Ms
from streaming.tasks.document.who import Given

CAPITAL_NOUNS = frozenset({"de", "lb"})
"""Languages that write every noun with a capital: nothing can be told from it."""
_INSIDE = re.compile(r"(?<=[\w,;:] )([A-Z][a-z\u00df-\u00ff]+)\b")
_WORD = re.compile(r"\b[A-Z][a-z\u00df-\u00ff]+\b")


class FirstGiven:
    """When each name was first heard or read."""

    def __init__(self, lines: Sequence[Given], language: str) -> None:
        self._first: dict[str, Ms] = {}
        if language.split("-")[0].lower() in CAPITAL_NOUNS:
            return
        names = {n for line in lines if line.source == "dialogue" for n in names_in(line.text)}
        for line in lines:
            for word in re.findall(r"\w+", line.text):
                name = word.capitalize()
                if name in names:
                    self._first[name] = min(line.end, self._first.get(name, line.end))

    def too_early(self, text: str, t: Ms) -> list[str]:
        """Names in the text that the programme only gives after ``t``."""
        found = dict.fromkeys(_WORD.findall(text))
        return [name for name in found if self._first.get(name, t) > t]


def names_in(text: str) -> list[str]:
    """Words with a capital in the middle of a sentence."""
    return _INSIDE.findall(text)
