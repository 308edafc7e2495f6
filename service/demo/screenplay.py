"""A seed's plan for a clip: which shots, which camera moves, which titles. No picture is drawn yet.

Everything lies on the grid of whole frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from service.demo import phrases
from service.demo.labels import Box
from service.demo.photographs import PEOPLE, PHOTOGRAPHS, SCENERY, Photograph
from strad.timeline import Interval, Ms

FRAME: Ms = 40
"""25 frames a second."""

CARD: tuple[Ms, Ms] = (3_400, 5_200)
PICTURE: tuple[Ms, Ms] = (6_000, 10_000)
"""The shortest and the longest that a card, and a picture, is shown."""
SHORTEST: Ms = 3_000

MAX_SCENERY = 2
"""Of the first six or seven pictures: most are of somebody or something with a plain name."""


class Move(NamedTuple):
    """The camera's way over one photograph: what it shows first and last."""

    photo: Photograph
    first: Box
    last: Box


@dataclass(frozen=True, slots=True)
class Shot:
    """One photograph, a split screen of two, or a plain card (no photograph)."""

    when: Interval
    moves: tuple[Move, ...]


Place = Literal["card", "lower third", "corner"]


@dataclass(frozen=True, slots=True)
class Caption:
    """Words on screen."""

    when: Interval
    lines: tuple[str, ...]
    place: Place
    style: int
    """Which of the looks; see ``titles``."""


@dataclass(frozen=True, slots=True)
class Screenplay:
    """Everything visible, in order."""

    duration: Ms
    shots: tuple[Shot, ...]
    captions: tuple[Caption, ...]


def plan(rng: Random, duration: Ms) -> Screenplay:
    """Cards and pictures in turn until ``duration`` is full."""
    shots: list[Shot] = []
    captions: list[Caption] = []
    used: set[str] = set()
    pictures = _pictures(rng)
    until_card = 0
    while (at := shots[-1].when.end if shots else 0) < duration:
        if until_card == 0 and duration - at > 2 * SHORTEST:
            shots.append(Shot(_length(rng, at, duration, CARD), ()))
            captions.append(_card(rng, shots[-1].when, used))
            until_card = rng.randint(2, 4)
        else:
            shots.append(Shot(_length(rng, at, duration, PICTURE), next(pictures)))
            captions += _over(rng, shots[-1], used)
            until_card -= 1
    return Screenplay(duration, tuple(shots), tuple(captions))


def _length(rng: Random, at: Ms, duration: Ms, lengths: tuple[Ms, Ms]) -> Interval:
    """A shot from ``at`` on; the last one takes what would be too short for another."""
    end = at + _frames(rng, *lengths)
    return Interval(at, duration if duration - end < SHORTEST else end)


def _frames(rng: Random, low: Ms, high: Ms) -> Ms:
    return rng.randint(low // FRAME, high // FRAME) * FRAME


def _pictures(rng: Random) -> Iterator[tuple[Move, ...]]:
    """No photograph twice before all were shown; now and then a split screen of two."""
    while True:
        scenery = [photo for photo in PHOTOGRAPHS if photo.name in SCENERY]
        rng.shuffle(scenery)
        others = [photo for photo in PHOTOGRAPHS if photo.name not in SCENERY]
        rng.shuffle(others)
        sequence: list[tuple[Move, ...]] = []
        if rng.random() < 0.5:
            sequence.append((_still(others.pop()), _still(others.pop())))
        sequence += [(_move(rng, photo),) for photo in others + scenery[:MAX_SCENERY]]
        rng.shuffle(sequence)
        yield from sequence
        yield from ((_move(rng, photo),) for photo in scenery[MAX_SCENERY:])


def _move(rng: Random, photo: Photograph) -> Move:
    first, last = rng.sample(photo.views, 2)
    return Move(photo, first, last)


def _still(photo: Photograph) -> Move:
    half = photo.half
    if half is None:
        raise ValueError(f"{photo.name} has no half for a split screen")
    return Move(photo, half, half)


def _new(write: Callable[[], tuple[str, ...]], used: set[str]) -> tuple[str, ...]:
    """Lines whose last one was not on screen before, as far as the supply goes."""
    lines = write()
    for _ in range(20):
        if lines[-1] not in used:
            break
        lines = write()
    used.add(lines[-1])
    return lines


def _card(rng: Random, when: Interval, used: set[str]) -> Caption:
    return Caption(when, _new(lambda: phrases.card(rng), used), "card", rng.randrange(1_000))


def _over(rng: Random, shot: Shot, used: set[str]) -> list[Caption]:
    """In three of five shots a title comes in a little after the cut and goes before the next."""
    if rng.random() >= 0.6 or shot.when.duration < PICTURE[0]:
        return []
    start = shot.when.start + _frames(rng, 600, 1_400)
    end = min(start + _frames(rng, 3_600, 5_600), shot.when.end - 5 * FRAME)
    person = all(move.photo.name in PEOPLE for move in shot.moves)
    lines = _new(lambda: phrases.caption(rng, person=person), used)
    place: Place = rng.choice(("lower third", "lower third", "corner"))
    return [Caption(Interval(start, end), lines, place, rng.randrange(1_000))]
