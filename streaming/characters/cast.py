"""The cast of one film, ready to be marked in its pictures; and the casting that makes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from strad.errors import InputError
from streaming.characters.bank import LEADING, Character, CharacterBank, portrait_of
from streaming.characters.colours import Colour, Marked, colours_of
from streaming.characters.drawing import drawn, pixels_of
from streaming.characters.faces import FaceEmbedder, FaceFinder, Pixels
from streaming.characters.identify import Portrait, identify, portraits_of
from streaming.media import VideoFrame


@dataclass(slots=True)
class Casting:
    """Makes the cast of each film once. Not for two threads at a time."""

    bank: CharacterBank
    portraits: Path
    """A folder of pictures named by actors' ids."""
    finder: FaceFinder
    embedder: FaceEmbedder
    _casts: dict[tuple[str, ...], Cast] = field(default_factory=dict)

    def cast(self, *films: str) -> Cast:
        """Of the first of these ids that the bank knows; may be empty. Reads portraits."""
        if films not in self._casts:
            pictures = self._pictures(self.bank.cast(*films))
            found = portraits_of(pictures, self.finder, self.embedder, most=LEADING)
            colours = colours_of([portrait.character for portrait in found])
            self._casts[films] = Cast(found, colours, self.finder, self.embedder)
        return self._casts[films]

    def _pictures(self, cast: Sequence[Character]) -> Iterator[tuple[Character, Pixels]]:
        for character in cast:
            path = portrait_of(character, self.portraits)
            if path is not None:
                yield character, _read(path)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who may be seen in a film."""

    portraits: tuple[Portrait, ...]
    colours: dict[str, Colour]
    finder: FaceFinder
    embedder: FaceEmbedder

    def mark(
        self, frames: Sequence[VideoFrame]
    ) -> tuple[tuple[VideoFrame, ...], tuple[Marked, ...]]:
        """The pictures with everybody marked who is known, and who that is, in the cast's order.

        A picture without a known face stays as it is, byte by byte.
        """
        if not self.portraits:
            return tuple(frames), ()
        shown: list[VideoFrame] = []
        seen: set[str] = set()
        for frame in frames:
            pixels = pixels_of(frame.jpeg, f"the frame at {frame.t} ms")
            people = identify(pixels, self.portraits, self.finder, self.embedder)
            seen.update(known.character.id for known in people)
            jpeg = drawn(pixels, people, self.colours) if people else frame.jpeg
            shown.append(replace(frame, jpeg=jpeg))
        cast = [one.character for one in self.portraits if one.character.id in seen]
        return tuple(shown), tuple(Marked(one.role, self.colours[one.id].name) for one in cast)


def _read(path: Path) -> Pixels:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    return pixels_of(data, str(path))
