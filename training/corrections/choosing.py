"""Which windows of a film teach its corrections. Pure.

A description that an editor kept, changed, moved or added is an AD example: the window of the walk
at which it is to be said. One that was deleted is a WAIT example: a window that shows at least half
of it and holds nothing else to be said. A description that a viewer flagged, and nobody corrected,
teaches nothing: nobody knows what is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from strad.cues import Cue
from strad.flag import FlaggedEvent
from strad.timeline import Interval, Ms
from training.corrections.matching import Change, Correction
from training.corrections.told import flags_of
from training.example import Kind
from training.labels import mostly_outside
from training.material import Material
from training.preparing.plan import Manner, walk_of
from training.skipped import fault_in
from training.walk import Strides, turn_key

WALKS = 6
"""Walks over the film at most: what one of them passes, another may meet."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The window that teaches one correction: the walk that has it, and its key there."""

    manner: Manner
    key: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A correction, what viewers flagged of it, and whether it can teach anything."""

    correction: Correction
    flags: tuple[FlaggedEvent, ...] = ()

    @property
    def left_out(self) -> str:
        """Why it can't; empty where it can."""
        if self.flags and self.correction.change is Change.UNCHANGED:
            return "flagged, and not corrected"
        kept = self.correction.kept
        fault = fault_in(kept.when, kept.text) if kept is not None else None
        return fault.value if fault else ""


def judged(found: Iterable[Correction], flagged: Sequence[FlaggedEvent]) -> list[Judged]:
    """Each with its flags."""
    return [Judged(one, flags_of(one.told, flagged) if one.told else ()) for one in found]


def chosen(
    corrections: Sequence[Judged], material: Material, length: Ms, *, seed: int, strides: Strides
) -> dict[int, Chosen]:
    """By place among ``corrections``: the window that teaches it, where a walk meets one."""
    found: dict[int, Chosen] = {}
    wanted = {n: one.correction for n, one in enumerate(corrections) if not one.left_out}
    for number in range(WALKS):
        missing = {n: one for n, one in wanted.items() if n not in found}
        if not missing:
            break
        manner = Manner(seed + number, strides)
        for n, key in _met(missing, material, length, manner).items():
            found[n] = Chosen(manner, key)
    return found


def _met(
    missing: Mapping[int, Correction], material: Material, length: Ms, manner: Manner
) -> dict[int, str]:
    """Those that this walk meets, and where."""
    kept = {one.kept: n for n, one in missing.items() if one.kept is not None}
    gone = {n: one.told for n, one in missing.items() if one.change is Change.DELETED and one.told}
    found: dict[int, str] = {}
    for turn in walk_of(material, length, manner).turns():
        key, event = turn_key(material.slug, turn), turn.label.event
        if event is not None:
            if event in kept:
                found[kept[event]] = key
            continue
        seen = Interval(max(0, turn.cursor - manner.window), turn.cursor)
        for n, cue in gone.items():
            if n not in found and turn.label.kind is Kind.WAIT and _shows(seen, cue):
                found[n] = key
                break
    return found


def _shows(seen: Interval, cue: Cue) -> bool:
    """At least half of it, to its end."""
    return cue.when.end <= seen.end and not mostly_outside(cue.when, seen)
