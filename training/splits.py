"""Which film is in which split: whole films, the paper's for validation. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from training.budget import lot
from training.dataset import TRAIN, VALIDATION

PAPER_VALIDATION = frozenset(
    {
        "tt0020629", "tt0054331", "tt0073802", "tt0088846", "tt0096101",
        "tt0101635", "tt0108065", "tt0116209", "tt0120631", "tt0151568",
        "tt0232500", "tt0285742", "tt0332452", "tt0376541", "tt0421729",
        "tt0463985", "tt0800039", "tt0959337", "tt1186830", "tt1355644",
        "tt1622979", "tt1981677", "tt2493486", "tt3531824", "tt5113040",
    }
)  # fmt: skip
"""The 25 films of StrAD, C.1."""
SHARE = 0.1
"""Of the films, where none of them is one of these."""


def splits(
    films: Iterable[tuple[str, Collection[str]]],
    *,
    seed: int,
    validation: Collection[str] | None = None,
    share: float | None = None,
) -> dict[str, str]:
    """The split of each film, which has a name and other ids, and may come more than once.

    Films that share an id, by others too, are one, and in one split. ``validation`` names the films
    of that split; without it they are the paper's, and where there is none of these, or ``share``
    is given, that share of the films: at least one of two or more.
    """
    of, known = _joined(films)
    named = PAPER_VALIDATION if validation is None else frozenset(validation)
    held = {one for one, ids in known.items() if ids & named} if share is None else set()
    if validation is None and not held:
        part = SHARE if share is None else share
        count = max(round(part * len(known)), 1 if part > 0 and len(known) > 1 else 0)
        held = set(sorted(known, key=lambda one: lot(seed, one))[:count])
    return {film: VALIDATION if one in held else TRAIN for film, one in of.items()}


def _joined(
    films: Iterable[tuple[str, Collection[str]]],
) -> tuple[dict[str, str], dict[str, set[str]]]:
    """By film, and by what stands for all that are one with it: its first name; all its ids."""
    groups: dict[str, _One] = {}
    for film, others in films:
        fresh = _One({film}, {film, *filter(None, others)})
        met = {id(groups[one]): groups[one] for one in fresh.ids if one in groups}
        largest, *rest = sorted([*met.values(), fresh], key=lambda one: -len(one.ids))
        for one in rest:
            largest.names |= one.names
            largest.ids |= one.ids
            groups.update(dict.fromkeys(one.ids, largest))
        groups.update(dict.fromkeys(fresh.ids, largest))
    ones = {min(one.names): one for one in groups.values()}
    of = {film: first for first, one in ones.items() for film in one.names}
    return of, {first: one.ids for first, one in ones.items()}


@dataclass(slots=True)
class _One:
    """A film by all its names and ids."""

    names: set[str]
    ids: set[str]
