"""The pipeline: from scenes with what is seen and heard in them to items that need both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from question_generation.jointav.assign import Assign
from question_generation.jointav.check import JUDGE
from question_generation.jointav.clean import Clean
from question_generation.jointav.dependence import Dependence
from question_generation.jointav.distract import DISTRACT, REWORD
from question_generation.jointav.evidence import Described
from question_generation.jointav.gather import Programmes
from question_generation.jointav.general import GENERAL
from question_generation.jointav.particular import INTERVAL_CHECK, PARTICULAR
from question_generation.jointav.write import Write
from question_generation.stage import WRITER, Gather, Stage

ROLES: Mapping[str, str] = MappingProxyType(
    {
        WRITER: "writes questions and wrong options, and writes anew what one modality solves",
        JUDGE: "checks questions; best another model than the writer",
        "text-only": "answers with question and options alone",
        "vision-only": "answers by what is seen",
        "audio-only": "answers by what is heard",
        "both": "answers by both; its rate is told",
    }
)


@dataclass(frozen=True, slots=True)
class JointAv:
    """JointAVBench's way, with the dependence on both modalities measured."""

    steps: tuple[Stage[Any, Any] | Gather[Any, Any], ...]
    roles: Mapping[str, str] = field(default_factory=lambda: ROLES)
    name: str = "jointav"
    version: str = "1"


def pipeline(
    *,
    tasks: Sequence[str] = (),
    dependence: Dependence | None = None,
) -> JointAv:
    """All steps from scenes on. ``tasks``: codes; none: all fifteen."""
    return JointAv(tuple(stages(tasks=tasks, dependence=dependence)))


def stages(
    *, tasks: Sequence[str] = (), dependence: Dependence | None = None
) -> list[Stage[Any, Any] | Gather[Any, Any]]:
    """The steps, in order: each reads what the one before writes."""
    again = tuple(check for check in (*GENERAL, *PARTICULAR) if check is not INTERVAL_CHECK)
    measure = dependence or Dependence(evidence=Described(), checks=again)
    return [
        Clean(),
        Programmes(),
        Assign(codes=tuple(tasks)),
        Write(),
        *GENERAL,
        *PARTICULAR,
        DISTRACT,
        REWORD,
        measure,
    ]
