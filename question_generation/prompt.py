"""One prompt: a text file of ``question_generation/prompts``, its name ending in its version."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from string import Template

_BREAK = "\n---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions and a question with ``$blanks``. A changed text must get another version."""

    name: str
    """The file's name without its ending: ``cinepile-mcq.v1``."""
    system: str
    user: str
    sha256: str
    """Of the file: what the model was really told."""

    def fill(self, **blanks: str) -> tuple[str, str]:
        """Instructions and question. Raises KeyError for a blank that nothing fills."""
        return _filled(self.system, blanks), _filled(self.user, blanks)


@cache
def prompt(name: str) -> Prompt:
    """The prompt of this name: instructions above the line of dashes, the question below."""
    data = resources.files("question_generation.prompts").joinpath(f"{name}.txt").read_bytes()
    system, _, user = data.decode("utf-8").partition(_BREAK)
    return Prompt(name, system.strip(), user.strip(), hashlib.sha256(data).hexdigest())


def _filled(text: str, blanks: Mapping[str, str]) -> str:
    parts = _parts(text)
    if len(parts) == 1:
        return parts[0][0]
    return "".join([blanks[part] if is_blank else part for part, is_blank in parts])


@lru_cache(maxsize=256)
def _parts(text: str) -> tuple[tuple[str, bool], ...]:
    """The text cut at its blanks, as ``string.Template`` reads them. Raises ValueError."""
    found: list[tuple[str, bool]] = []
    at = 0
    for match in Template.pattern.finditer(text):
        name = match["named"] or match["braced"]
        if not name and match["escaped"] is None:
            raise ValueError(f"a lone $ in a prompt: {text[match.start() : match.start() + 20]!r}")
        found += [(text[at : match.start()], False), (name, True) if name else ("$", False)]
        at = match.end()
    return (*found, (text[at:], False))
