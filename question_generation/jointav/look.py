"""What is seen in a scene, described by a model from its pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from question_generation.ask import Ask
from question_generation.drop import Drop
from question_generation.jointav.footage import footage
from question_generation.prompt import prompt
from question_generation.scene import Scene
from question_generation.stage import Desk
from strad.errors import MediaError
from strad.questions import Segment
from strad.record import Record, TimedText
from strad_eval.asking.frames import inside

VIEWER = "viewer"
PROMPT = "jointav-caption.v1"


class Told(Record):
    """One thing and when it is, in seconds."""

    start: float
    end: float
    text: str


class Caption(Record):
    """A scene in lines."""

    lines: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """Adds ``visuals`` to each scene, at one picture a second."""

    clips: Path
    fps: float = 1.0
    name: str = "look"
    version: str = "1"
    roles: tuple[str, ...] = (VIEWER,)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"fps": self.fps}

    @property
    def reads(self) -> type[Scene]:
        return Scene

    @property
    def writes(self) -> type[Scene]:
        return Scene

    async def work(self, record: Scene, desk: Desk) -> Sequence[Scene] | Drop:
        if record.visuals:
            return [record]
        if record.clip is None:
            return Drop("the scene has no video")
        try:
            shown = await footage(inside(self.clips, record.clip), record.segment, fps=self.fps)
        except MediaError as error:
            return Drop("the video can't be decoded", str(error))
        length = record.segment[1] - record.segment[0]
        blanks = {"start": "0.0", "end": f"{length:.1f}", "step": f"{shown.step_s:.1f}"}
        ask = Ask(prompt(PROMPT), blanks, Caption, _fault, parts=(shown.video,))
        answered = await desk.ask(ask, of=VIEWER)
        if isinstance(answered, Drop):
            return answered
        visuals = placed(answered.value.lines, record.segment)
        return [record.model_copy(update={"visuals": visuals}).traced(answered.made)]


def placed(lines: Iterable[Told], segment: Segment) -> tuple[TimedText, ...]:
    """Lines whose times count from the scene's start, in seconds of the video, inside the scene."""
    start, end = segment
    found = []
    for line in lines:
        text = " ".join(line.text.split())
        first = min(max(start + line.start, start), end)
        last = min(max(start + line.end, first), end)
        if text:
            found.append(TimedText(start=first, end=last, text=text))
    return tuple(sorted(found, key=lambda line: (line.start, line.end)))


def _fault(found: Caption) -> str:
    return "" if any(line.text.strip() for line in found.lines) else "nothing is described"
