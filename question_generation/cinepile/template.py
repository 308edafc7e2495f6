"""Templates of questions: our own bank (``data/templates_v1.jsonl``), or one of the user's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from question_generation.cinepile.category import Category
from strad.errors import FormatError, InputError
from strad.line_file import LineFile
from strad.questions import Filled
from strad.record import Record
from strad.text_file import read_text

OWN = "templates_v1"
Kind = Literal["reasoning", "perceptual", "temporal"]


class TemplatesHeader(Record):
    """The optional first line of a file of templates."""

    strad: Literal["templates"]
    version: Literal[1]


class Template(Record):
    """One kind of question."""

    name: Filled
    """Of its own: ``Physical Possessions``."""
    category: Category
    kind: Kind = "reasoning"
    """``perceptual`` and ``temporal`` ones were written by hand in the paper too."""
    template: Filled
    """With ``[slots]``."""
    prototype: Filled
    """A question of this kind: it keeps a model from inventing."""
    needs: str = ""
    """What a scene must hold for it."""


TEMPLATES = LineFile(TemplatesHeader, Template)


@dataclass(frozen=True, slots=True)
class Bank:
    """Templates in order, and what they are called together."""

    name: str
    templates: tuple[Template, ...]

    def __getitem__(self, name: str) -> Template:
        return next(one for one in self.templates if one.name == name)

    def listed(self) -> str:
        """Numbered lines for a model to choose from."""
        return "\n".join(
            f"{number}. {one.name}: {one.prototype} (needs {one.needs or 'nothing special'})"
            for number, one in enumerate(self.templates, start=1)
        )


@cache
def own_bank() -> Bank:
    """The templates that come with Strad."""
    file = resources.files("question_generation.cinepile.data").joinpath(f"{OWN}.jsonl")
    return _bank(OWN, file.read_text("utf-8").split("\n"), OWN)


def read_bank(path: Path) -> Bank:
    """A bank from a file. Raises InputError if it can't be read, FormatError for a bad line."""
    return _bank(path.stem, read_text(path).split("\n"), str(path))


def _bank(name: str, lines: Iterable[str], file: str) -> Bank:
    templates = tuple(TEMPLATES.each(lines, file=file))
    if not templates:
        raise InputError(f"{file}: no templates in it")
    names = [one.name for one in templates]
    twice = next((one for one in names if names.count(one) > 1), None)
    if twice is not None:
        raise FormatError(f"two templates are called {twice!r}", file=file)
    return Bank(name, templates)
