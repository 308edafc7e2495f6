"""What the model is told about its work: a text file of ``texts``, named with its version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template


@dataclass(frozen=True, slots=True)
class Instructions:
    """The text with blanks. A changed text must get another name."""

    name: str
    text: str
    sha256: str
    """Of the file, 64 hex digits."""

    def fill(self, **blanks: str) -> str:
        """The text to send. Raises KeyError for a blank that nothing fills."""
        return Template(self.text).substitute(blanks)


@cache
def instructions(name: str) -> Instructions:
    """The instructions of this name. Raises FileNotFoundError where there are none."""
    data = resources.files("streaming.prompt.texts").joinpath(f"{name}.txt").read_bytes()
    return Instructions(name, data.decode("utf-8").strip(), hashlib.sha256(data).hexdigest())
