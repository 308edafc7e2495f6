"""One prompt: a text file of this folder, its name ending in its version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from string import Template

_BREAK = "\n---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions and a question with blanks. A changed text must get another name."""

    name: str
    system: str
    user: str
    sha256: str
    """Of the file: what the model was really told."""

    def fill(self, **blanks: str) -> str:
        """The question. Raises KeyError for a blank that nothing fills."""
        return Template(self.user).substitute(blanks)


def prompt(name: str) -> Prompt:
    """The prompt of this name: instructions above the line of dashes, the question below."""
    data = resources.files("strad_eval.prompts").joinpath(f"{name}.txt").read_bytes()
    system, _, user = data.decode("utf-8").partition(_BREAK)
    return Prompt(name, system.strip(), user.strip(), hashlib.sha256(data).hexdigest())
