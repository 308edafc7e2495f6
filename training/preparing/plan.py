"""What can be made of one film, known before any of it is decoded; and what is chosen. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from strad.timeline import Interval, Ms
from streaming.decoding.spans import inside, moments
from streaming.tasks.segments.segment import PICTURES, Segment
from training.budget import Shares, counts, drawn
from training.dataset import SPLITS
from training.example import Kind
from training.material import Material
from training.walk import Strides, Walk, turn_key

PERIOD: Ms = 1_000
"""Of the pictures of windows: the stream's ``frame_period``."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How examples are made; all of it changes what comes out."""

    seed: int = 0
    strides: Strides = field(default_factory=Strides)
    window: Ms = 8_000
    pad: Ms | None = None
    """Around segments; None: as their data set has it."""
    random_pad: bool = False
    """Whether each segment's pad is drawn between 0 and what it would be (StrAD, 5.2)."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A segment, and what is shown of it."""

    key: str
    segment: Segment
    shown: Interval

    @property
    def times(self) -> tuple[Ms, ...]:
        """Of its pictures."""
        return moments(self.shown, PICTURES)


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """All the examples that one media file could give."""

    material: Material
    split: str
    length: Ms
    manner: Manner
    windows: Mapping[str, tuple[Kind, Interval]]
    """By key: what it would be, and what of the film it shows."""
    shots: Mapping[str, Shot]
    passed: Mapping[str, int]

    def walk(self) -> Walk:
        """From the beginning; always the same one."""
        return walk_of(self.material, self.length, self.manner)

    def kinds(self) -> Iterable[tuple[str, Kind]]:
        """Every key with its kind."""
        yield from ((key, kind) for key, (kind, _) in self.windows.items())
        yield from ((key, Kind.SEGMENT) for key in self.shots)

    def times(self, keys: Iterable[str]) -> tuple[Ms, ...]:
        """When pictures are wanted for these, rising; the first moment always is."""
        wanted = {0}
        for key in keys:
            if key in self.shots:
                wanted.update(min(t, self.length - 1) for t in self.shots[key].times)
            else:
                seen = self.windows[key][1]
                wanted.update(range(-(-seen.start // PERIOD) * PERIOD, seen.end + 1, PERIOD))
        return tuple(sorted(wanted))


def walk_of(material: Material, length: Ms, manner: Manner) -> Walk:
    """The walk over a film that this manner goes."""
    rng = Random(f"{manner.seed}/{material.id}")
    return Walk(material, length, strides=manner.strides, rng=rng, window=manner.window)


def planned(material: Material, split: str, length: Ms, manner: Manner) -> FilmPlan:
    """Everything there is to choose from."""
    windows: dict[str, tuple[Kind, Interval]] = {}
    passed: Counter[str] = Counter()
    if material.streams:
        walk = walk_of(material, length, manner)
        for turn in walk.turns():
            seen = Interval(max(0, turn.cursor - manner.window), turn.cursor)
            windows[turn_key(material.slug, turn)] = turn.label.kind, seen
        passed = walk.passed
    shots = (_shot(material, segment, length, manner) for segment in material.segments)
    by_key = {shot.key: shot for shot in shots if shot is not None}
    return FilmPlan(material, split, length, manner, windows, by_key, passed)


def _shot(material: Material, segment: Segment, length: Ms, manner: Manner) -> Shot | None:
    """None where the film has nothing of it."""
    key = f"{material.slug}-segment-{segment.line:06}"
    pad = segment.pad if manner.pad is None else manner.pad
    if manner.random_pad:
        pad = round(Random(f"{manner.seed}/{key}").uniform(0, pad))
    moment = inside(segment.when, length)
    shown = inside(Interval(max(0, segment.when.start - pad), segment.when.end + pad), length)
    return Shot(key, segment, shown) if moment and shown else None


def chosen(
    plans: Sequence[FilmPlan], shares: Shares, seed: int, budget: int | None
) -> dict[str, set[str]]:
    """The keys of each split: drawn so that the shares are the paper's.

    ``budget``: examples for training at most; validation has all that the shares allow.
    """
    taken: dict[str, set[str]] = {}
    for split in SPLITS:
        there = [pair for plan in plans if plan.split == split for pair in plan.kinds()]
        taken[split] = in_shares(there, shares, seed, budget if split == "train" else None)
    return taken


def in_shares(
    there: Iterable[tuple[str, Kind]], shares: Shares, seed: int, most: int | None = None
) -> set[str]:
    """As many of these keys as the shares allow, ``most`` at most."""
    keys: dict[Kind, list[str]] = {kind: [] for kind in Kind}
    for key, kind in there:
        keys[kind].append(key)
    wanted = counts({kind: len(found) for kind, found in keys.items()}, shares, most)
    return {key for kind, count in wanted.items() for key in drawn(keys[kind], count, seed)}
