"""Casts and lines of programmes for tests, written down in a few words."""

from __future__ import annotations

from strad.passes import Heard, Looked, Person


def person(
    id: str,
    description: str,
    name: str | None = None,
    learned: float | None = None,
    aliases: tuple[str, ...] = (),
    unproven: tuple[str, ...] = (),
    looks: tuple[str, ...] = (),
) -> Person:
    """One character."""
    return Person(
        id=id,
        description=description,
        name=name,
        learned=learned,
        aliases=aliases,
        unproven=unproven,
        looks=looks,
    )


def said(id: str, start: float, end: float, text: str) -> Heard:
    """A line of dialogue."""
    return Heard(id=id, kind="speech", start=start, end=end, text=text)


def gap(id: str, start: float, end: float) -> Heard:
    """A span without speech."""
    return Heard(id=id, kind="gap", start=start, end=end)


def seen(
    id: str, start: float, end: float, text: str, importance: int = 2, people: tuple[str, ...] = ()
) -> Looked:
    """One step."""
    return Looked(
        id=id, start=start, end=end, seen=text, importance=importance, people=people, synopsis=""
    )
