"""The character bank of CMD-AD and TV-AD: who plays whom in a film or an episode.

JSON: ``{"tt0042208": [{"id": "nm0000412", "name": "Marilyn Monroe", "role": "Angela"}, ...]}``;
films by IMDb id, in TV-AD episodes by theirs. A portrait is a picture named by the actor's id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strad.errors import FormatError, InputError
from strad.json_positions import line_of
from strad.record import check_json
from strad.text_file import read_text

LEADING = 10
"""Characters of a film that are looked for: the first ones that have a portrait (AutoAD-Zero)."""
ENDINGS = ("jpg", "jpeg", "png")
"""What a portrait's file may end in."""
PICKLES = (".pkl", ".pickle")


@dataclass(frozen=True, slots=True)
class Character:
    """One role, and who plays it."""

    id: str
    """The actor's IMDb id."""
    role: str
    """What the character is called."""


@dataclass(frozen=True, slots=True)
class CharacterBank:
    """The casts of films, in the file's order, each character once."""

    films: Mapping[str, tuple[Character, ...]]

    def cast(self, *films: str) -> tuple[Character, ...]:
        """Of the first of these IMDb ids that is in the bank; empty where none is."""
        return next((self.films[film] for film in films if film in self.films), ())


def read_bank(path: Path) -> CharacterBank:
    """The bank in a file. Raises InputError, and FormatError with file and line."""
    if path.suffix.lower() in PICKLES:
        raise InputError(
            f"{path}: a pickle runs what is in it when it is read: write MAD-Eval's bank as JSON, "
            '{"IMDb id": [{"id": ..., "name": ..., "role": ...}]}'
        )
    text = read_text(path)
    check_json(text, file=str(path))
    return _Reader(str(path), text).bank(json.loads(text))


def portrait_of(character: Character, folder: Path) -> Path | None:
    """The picture that shows who plays the character, where the folder has it."""
    if Path(character.id).name != character.id:
        return None
    return next((p for end in ENDINGS if (p := folder / f"{character.id}.{end}").is_file()), None)


@dataclass(frozen=True, slots=True)
class _Reader:
    file: str
    text: str

    def bank(self, found: object) -> CharacterBank:
        if not isinstance(found, dict) or not found:
            raise FormatError("not a bank: an object of films is needed", file=self.file, line=1)
        return CharacterBank({film: self._cast(film, cast) for film, cast in found.items()})

    def _cast(self, film: str, cast: object) -> tuple[Character, ...]:
        if not isinstance(cast, list):
            raise self._refusal("its cast is no list", film)
        found: dict[str, Character] = {}
        for place, entry in enumerate(cast):
            character = self._character(entry, film, place)
            if character.role:
                found.setdefault(character.id, character)
        return tuple(found.values())

    def _character(self, entry: object, film: str, place: int) -> Character:
        if not isinstance(entry, dict):
            raise self._refusal("a character is no object", film, place)
        return Character(
            self._member(entry, "id", film, place), self._member(entry, "role", film, place)
        )

    def _member(self, entry: dict[str, Any], name: str, film: str, place: int) -> str:
        """An absent role is an empty one: nobody knows what to call such a character."""
        value = entry.get(name)
        if name == "role" and value is None:
            return ""
        if not isinstance(value, str) or (name == "id" and not value.strip()):
            raise self._refusal(f"a character without {name!r} as text", film, place)
        return " ".join(value.split())

    def _refusal(self, what: str, *path: str | int) -> FormatError:
        return FormatError(f"{path[0]}: {what}", file=self.file, line=line_of(self.text, path))
