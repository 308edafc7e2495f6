"""Whose face it is: the character whose portrait is nearest by cosine, if it is near enough.

Two thresholds (StrAD 4.1, after AutoAD-Zero): a face counts from a detection score on (0.4 there),
and has a name from a cosine on (0.2 there). Both belong to the models they were chosen for, so each
finder and embedder brings its own. What is below stays unknown, and gets no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from streaming.characters.bank import Character
from streaming.characters.faces import Face, FaceEmbedder, FaceFinder, Pixels, Vector, cosine


@dataclass(frozen=True, slots=True)
class Known:
    """A face with a name."""

    face: Face
    character: Character
    cosine: float


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """How a character looks."""

    character: Character
    vector: Vector


def portraits_of(
    pictures: Iterable[tuple[Character, Pixels]],
    finder: FaceFinder,
    embedder: FaceEmbedder,
    *,
    most: int,
) -> tuple[Portrait, ...]:
    """The first ``most`` characters whose picture shows a face; of several, the surest one."""
    found: list[Portrait] = []
    for character, pixels in pictures:
        faces = finder.find(pixels)[:1]
        if faces:
            found.append(Portrait(character, embedder.embed(pixels, faces)[0]))
        if len(found) == most:
            break
    return tuple(found)


def identify(
    pixels: Pixels, portraits: Sequence[Portrait], finder: FaceFinder, embedder: FaceEmbedder
) -> list[Known]:
    """The faces of one picture that have a name: each character at most once, where it is nearest.

    A face near to two characters is the nearer one's.
    """
    if not portraits:
        return []
    faces = finder.find(pixels)
    nearest: dict[str, Known] = {}
    for face, vector in zip(faces, embedder.embed(pixels, faces), strict=True):
        best = max(portraits, key=lambda portrait: cosine(vector, portrait.vector))
        known = Known(face, best.character, cosine(vector, best.vector))
        before = nearest.get(best.character.id)
        if known.cosine >= embedder.same and (before is None or known.cosine > before.cosine):
            nearest[best.character.id] = known
    return list(nearest.values())
