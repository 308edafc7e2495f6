"""One prompt: a text file of ``question_generation/prompts``, its name ending in its version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
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
        return (
            Template(self.system).substitute(blanks),
            Template(self.user).substitute(blanks),
        )


@cache
def prompt(name: str) -> Prompt:
    """The prompt of this name: instructions above the line of dashes, the question below."""
    data = resources.files("question_generation.prompts").joinpath(f"{name}.txt").read_bytes()
    system, _, user = data.decode("utf-8").partition(_BREAK)
    return Prompt(name, system.strip(), user.strip(), hashlib.sha256(data).hexdigest())
