"""From looks to claims about things: only what persists, and better what detectors agree on. Pure.

The thresholds were measured: docs/adr/0013-facts-detectors.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from strad.decision import Kind
from strad.timeline import Ms
from streaming.describers.facts.claim import MANY, Claim
from streaming.describers.facts.look import Detection, Look
from streaming.describers.facts.vocabulary import FACE, FACE_NETS, NAMES, PERSON, SCENERY

SURE = 0.5
"""Score from which a detection counts as seen."""
SUSPECTED = 0.3
"""Score from which it counts against an exact number."""
FRAMES = 3
"""Frames that must show a thing."""
FEW_FRAMES, VERY_SURE = 2, 0.85
"""For a person fewer do, where detectors agree and the score is high; other things need it in any
case."""
SAME_PLACE = 0.3
"""Overlap from which a thing in one look and one in another may be the same."""
AGREED_FRAMES = 2
"""Frames in which two detectors must agree on it: each alone draws persons and giraffes."""
SCENERY_SURE = 0.6
"""What scenery needs in all frames instead: only one detector knows it."""
FILLS = 0.9
"""Share of the picture from which a box says little: texture as a whole is taken for something."""
WITNESSES = 3
"""Detectors that must agree on what fills the picture."""
SMALLEST = 0.01
"""Share of the picture below which a thing isn't worth a claim."""
LARGE_FACE = 0.3
"""Height of a face, of the picture's, from which it is told of."""
LEFT, RIGHT = 0.4, 0.6
"""Its middle stays left of the one or right of the other, of the picture's width."""

_UNDISPUTED = {PERSON, *SCENERY}


def things(looks: Sequence[Look], since: Ms) -> list[Claim]:
    """The claims that ``looks`` (in order) bear out and that were still seen at ``since``."""
    claims = [_claim(label, looks, since) for label in NAMES]
    return [claim for claim in claims if claim is not None]


def suspected(look: Look) -> bool:
    """Whether it shows something that more looks may bear out."""
    return any(one.label in NAMES and one.score >= SURE for one in look.detections)


def shows(look: Look, label: str) -> bool:
    """Whether the thing may be there at all."""
    return any(one.label == label for one in look.detections)


def _claim(label: str, looks: Sequence[Look], since: Ms) -> Claim | None:
    best = {look.t: one for look in looks if (one := _best(look, label)) is not None}
    if not best or max(best) < since or not _borne_out(label, list(best.values())):
        return None
    whole_shot = _shot(looks, max(best))
    if _disputed(label, whole_shot, list(best.values())):
        return None
    shot = [look for look in whole_shot if look.t in best]
    well_shown = len(shot) >= FEW_FRAMES
    count, exact = _count(label, shot)
    return Claim(
        kind=Kind.SCENE,
        subject=label,
        seen=tuple(best),
        score=mean(one.score for one in best.values()),
        by=frozenset[str]().union(*(one.by for one in best.values())),
        count=count,
        exact=exact,
        face=label == PERSON and count == 1 and _is_faced(shot),
        place=_place([best[look.t] for look in shot]) if count == 1 and well_shown else "",
        shot=whole_shot[0].t if well_shown and whole_shot[0].cut else None,
    )


def _best(look: Look, label: str) -> Detection | None:
    fit = [one for one in look.detections if _counts(one, label, SURE)]
    return max(fit, key=lambda one: one.score, default=None)


def _counts(one: Detection, label: str, least: float) -> bool:
    return one.label == label and one.score >= least and _has_a_place(one)


def _has_a_place(one: Detection) -> bool:
    """Whether it is neither a speck nor, for all that is known, the picture's texture."""
    fills = one.box.area > FILLS and one.label not in SCENERY
    return one.box.area >= SMALLEST and not (fills and len(one.by) < WITNESSES)


def _borne_out(label: str, seen: Sequence[Detection]) -> bool:
    agreed = [one for one in seen if len(one.by) > 1]
    bodies = [one for one in agreed if not one.by <= FACE_NETS]
    if label == PERSON and sum(one.score >= VERY_SURE for one in bodies) >= FEW_FRAMES:
        return True
    if label in SCENERY:
        return sum(one.score >= SCENERY_SURE for one in seen) >= FRAMES
    least = SURE if label == PERSON else VERY_SURE
    firm = sum(one.score >= least for one in agreed)
    return len(seen) >= FRAMES and firm >= AGREED_FRAMES


def _disputed(label: str, shot: Sequence[Look], seen: Sequence[Detection]) -> bool:
    """Whether another look of the shot took it for something else: a cat, and then a bird."""
    if label in _UNDISPUTED:
        return False
    showing = [look for look in shot if _best(look, label) is not None]
    beside = {one.label for look in showing for one in look.detections if one.score >= SURE}
    rivals = (
        one
        for look in shot
        if look not in showing
        for one in look.detections
        if one.label in NAMES and one.label not in beside | _UNDISPUTED and one.score >= SURE
    )
    return any(one.box.overlap(other.box) >= SAME_PLACE for one in rivals for other in seen)


def _shot(looks: Sequence[Look], at: Ms) -> list[Look]:
    """The looks of the shot that ``at`` lies in."""
    shot: list[Look] = []
    for look in looks:
        if look.cut and look.t > at:
            break
        shot = [look] if look.cut else [*shot, look]
    return shot


def _count(label: str, shot: Sequence[Look]) -> tuple[int, bool]:
    """The number that detectors agree on in all looks but a few, and whether no more may be."""
    if len(shot) < FEW_FRAMES:
        return 1, False
    agreed = sorted(_number_agreed(look, label) for look in shot)
    most = max(_number(look, label, SUSPECTED) for look in shot)
    count = min(max(1, agreed[(len(agreed) - 1) // 2]), MANY)
    return count, most <= count


def _number_agreed(look: Look, label: str) -> int:
    return sum(_counts(one, label, SURE) and len(one.by) > 1 for one in look.detections)


def _number(look: Look, label: str, least: float) -> int:
    return sum(_counts(one, label, least) for one in look.detections)


def _is_faced(shot: Sequence[Look]) -> bool:
    return len(shot) >= FEW_FRAMES and all(_has_large_face(look) for look in shot[-FEW_FRAMES:])


def _has_large_face(look: Look) -> bool:
    return any(
        one.label == FACE and one.box.height >= LARGE_FACE and one.by >= FACE_NETS
        for one in look.detections
    )


def _place(seen: Sequence[Detection]) -> str:
    """Its side of the picture, where all looks agree on it."""
    across = [one.box.middle[0] for one in seen]
    if max(across) < LEFT:
        return "on the left"
    return "on the right" if min(across) > RIGHT else ""
