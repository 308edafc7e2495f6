"""Several detectors' boxes of one frame become one list: agreement raises a score. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from streaming.describers.facts.box import Box
from streaming.describers.facts.look import Detection
from streaming.describers.facts.vocabulary import FACE, KINDS, PERSON, POSTURE, SCENERY

SAME = 0.45
"""Overlap from which two boxes of one label are one thing."""
NESTED = 0.75
"""Share of the smaller box from which it is part of the larger of the same label."""
RIVAL = 0.6
"""Overlap from which two labels compete for one thing."""
FACE_ALONE = 0.8
"""A face this sure, and borne out by its parts, makes a person where no body was seen."""
FACE_WITNESSES = 2
"""Detectors that must agree on such a face."""
WHOLE = Box(0.0, 0.0, 1.0, 1.0)
"""The box of what was said of the picture as a whole."""


def fused(seen: Iterable[Detection]) -> tuple[Detection, ...]:
    """One detection a thing, best first; then scenery and faces as they are."""
    detections = sorted(seen, key=lambda one: -one.score)
    faces = [one for one in detections if one.label == FACE]
    scenery = [one for one in detections if one.label in SCENERY]
    bodies = _borne_out(_one_each([one for one in detections if _is_a_body(one)]), detections)
    lone = [_as_person(face) for face in faces if _stands_alone(face, bodies)]
    ranked = sorted([*bodies, *lone], key=lambda one: -one.score)
    return (*_without_rivals(ranked), *scenery, *faces)


def _is_a_body(one: Detection) -> bool:
    return one.label not in {FACE, POSTURE, *SCENERY} and not _is_a_kind(one)


def _is_a_kind(one: Detection) -> bool:
    """Whether the picture as a whole was taken for such a thing."""
    return one.box == WHOLE and one.label in KINDS


def _borne_out(bodies: Sequence[Detection], seen: Sequence[Detection]) -> list[Detection]:
    """Persons by faces and limbs inside them, other things by the kind of the whole picture."""
    faces = [one for one in seen if one.label == FACE and len(one.by) >= FACE_WITNESSES]
    limbs = [one for one in seen if one.label == POSTURE]
    kinds = [one for one in seen if _is_a_kind(one)]
    persons = _vouched(_vouched([one for one in bodies if one.label == PERSON], faces), limbs)
    return [*persons, *(_of_its_kind(one, kinds) for one in bodies if one.label != PERSON)]


def _one_each(ranked: Sequence[Detection]) -> list[Detection]:
    kept: list[Detection] = []
    for one in ranked:
        at = next((i for i, other in enumerate(kept) if _same_thing(one, other)), None)
        if at is None:
            kept.append(one)
        elif not one.by <= kept[at].by:
            kept[at] = _agreed(kept[at], one)
    return kept


def _same_thing(one: Detection, other: Detection) -> bool:
    return one.label == other.label and (
        one.box.overlap(other.box) >= SAME or one.box.inside_share(other.box) >= NESTED
    )


def _agreed(one: Detection, other: Detection) -> Detection:
    score = 1 - (1 - one.score) * (1 - other.score)
    return replace(one, score=score, by=one.by | other.by)


def _vouched(persons: Sequence[Detection], bearers: Sequence[Detection]) -> list[Detection]:
    """Each bearer agrees with one person, the surest around it, and no person with two."""
    borne_out: dict[int, Detection] = {}
    for bearer in bearers:
        around = (
            at
            for at, one in enumerate(persons)
            if at not in borne_out and one.box.holds(bearer.box.middle)
        )
        at = next(around, None)
        if at is not None:
            borne_out[at] = _agreed(persons[at], bearer)
    return [borne_out.get(at, one) for at, one in enumerate(persons)]


def _of_its_kind(thing: Detection, kinds: Sequence[Detection]) -> Detection:
    """Agreed, where the picture as a whole was taken for such a thing."""
    same = next((kind for kind in kinds if kind.label == thing.label), None)
    return thing if same is None else _agreed(thing, same)


def _stands_alone(face: Detection, bodies: Sequence[Detection]) -> bool:
    """Whether nothing else claims the place: an animal has a face too."""
    sure = face.score >= FACE_ALONE and len(face.by) >= FACE_WITNESSES
    return sure and not any(one.box.holds(face.box.middle) for one in bodies)


def _as_person(face: Detection) -> Detection:
    return replace(face, label=PERSON)


def _without_rivals(ranked: Sequence[Detection]) -> list[Detection]:
    kept: list[Detection] = []
    for one in ranked:
        if all(one.label == o.label or one.box.overlap(o.box) < RIVAL for o in kept):
            kept.append(one)
    return kept
