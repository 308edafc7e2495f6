"""The pipeline: from scenes with what is seen and heard in them to items that need both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from question_generation.jointav.assign import Assign
from question_generation.jointav.check import JUDGE
from question_generation.jointav.clean import Clean
from question_generation.jointav.dependence import Dependence
from question_generation.jointav.distract import DISTRACT, REWORD
from question_generation.jointav.evidence import Described, Filmed
from question_generation.jointav.gather import Programmes
from question_generation.jointav.general import GENERAL
from question_generation.jointav.listen import LISTENER, Listen
from question_generation.jointav.listen_by_rule import ListenByRule
from question_generation.jointav.look import VIEWER, Look
from question_generation.jointav.merge import Merge
from question_generation.jointav.particular import INTERVAL_CHECK, PARTICULAR
from question_generation.jointav.scenes import Scenes
from question_generation.jointav.write import Write
from question_generation.stage import WRITER, Gather, Stage
from strad.errors import InputError
from strad_eval.mcq.tasks import TASKS

AGAIN = tuple(check for check in (*GENERAL, *PARTICULAR) if check is not INTERVAL_CHECK)
"""What a question has to pass again that was written anew; its interval stays."""
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


MEDIA_ROLES: Mapping[str, str] = MappingProxyType(
    {
        VIEWER: "describes pictures; it must take them",
        LISTENER: "tells sounds, music and voices; it must take sound",
    }
)


@dataclass(frozen=True, slots=True)
class JointAv:
    """JointAVBench's way, with the dependence on both modalities measured."""

    steps: tuple[Stage[Any, Any] | Gather[Any, Any], ...]
    name: str = "jointav"
    version: str = "1"
    prompts: tuple[str, ...] = ("jointav-",)

    @property
    def roles(self) -> Mapping[str, str]:
        """Those that the steps ask."""
        asked = {role for step in self.steps if isinstance(step, Stage) for role in step.roles}
        return {role: what for role, what in {**MEDIA_ROLES, **ROLES}.items() if role in asked}


def pipeline(
    *,
    tasks: Sequence[str] = (),
    clips: Path | None = None,
    by_rule: bool = False,
    filmed: bool = False,
    dependence: Dependence | None = None,
) -> JointAv:
    """All steps. ``tasks``: codes; none: all fifteen.

    Without ``clips`` it reads scenes that come with what is seen and heard. With it, a folder, it
    reads ``Video`` records and makes the scenes itself: what is heard is then told by a model, or,
    ``by_rule``, by rules. ``filmed``: answerers see and hear the film, not descriptions of it.
    Raises InputError for a task that there is not, and for ``filmed`` without ``clips``.
    """
    unknown = sorted(set(tasks) - set(TASKS))
    if unknown:
        raise InputError(f"no such task: {', '.join(unknown)}; there are: {', '.join(TASKS)}")
    if filmed and clips is None:
        raise InputError("answerers can see the film only where there is a folder of clips")
    evidence = Filmed(clips) if filmed and clips else Described()
    measure = dependence or Dependence(evidence=evidence, checks=AGAIN)
    front = from_media(clips, by_rule=by_rule) if clips else []
    return JointAv((*front, *stages(tasks, measure)))


def from_media(clips: Path, *, by_rule: bool = False) -> list[Stage[Any, Any] | Gather[Any, Any]]:
    """From videos to scenes with what is seen and heard in them."""
    listen = ListenByRule(clips) if by_rule else Listen(clips)
    return [Scenes(clips), Look(clips), Merge(), listen]


def stages(
    tasks: Sequence[str], dependence: Dependence
) -> list[Stage[Any, Any] | Gather[Any, Any]]:
    """From scenes to items."""
    return [
        Clean(),
        Programmes(),
        Assign(codes=tuple(tasks)),
        Write(),
        *GENERAL,
        *PARTICULAR,
        DISTRACT,
        REWORD,
        dependence,
    ]
