"""The visual-summary path: key frames are captioned, the captions summed up. For training only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from question_generation.ask import Ask
from question_generation.cinepile.drafted import Pictured
from question_generation.cinepile.key_frames import KeyFrame, Shots, key_frames
from question_generation.cinepile.split import TRAIN
from question_generation.drop import Drop
from question_generation.prompt import prompt
from question_generation.provenance import Made
from question_generation.scene import Scene
from question_generation.stage import Desk
from strad.errors import MediaError
from strad.record import Record
from strad_eval.asking.frames import inside

CAPTIONER, SUMMARISER = "captioner", "summariser"
FRAME, SUMMARY = "cinepile-frame.v1", "cinepile-summary.v1"
FEWEST = 2
"""Captions without which there is nothing to sum up."""


class Caption(Record):
    """What one frame shows."""

    caption: str


class Summary(Record):
    """What the pictures of the scene show, in order of time."""

    summary: str


def _said(found: Caption | Summary) -> str:
    text = found.caption if isinstance(found, Caption) else found.summary
    return "" if text.strip() else "it is empty"


@dataclass(frozen=True, slots=True)
class Pictures:
    """A scene to the scene with a summary of its pictures, where it gets one.

    A model that sums up what another saw invents now and then: so no scene of the test split, nor
    one whose split is not settled, gets a summary, nor one without a clip. One whose clip can't be
    decoded, or too few of whose frames could be captioned, goes on as it is, and is counted.
    """

    clips: Path | None = None
    """The folder of clips; None: no scene gets a summary."""
    shots: Shots = field(default_factory=Shots)
    name: str = "pictures"
    version: str = "2"
    reads: type[Scene] = Scene
    writes: type[Pictured] = Pictured

    @property
    def roles(self) -> Sequence[str]:
        return (CAPTIONER, SUMMARISER) if self.clips else ()

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"clips": self.clips is not None, "shots": asdict(self.shots)}

    async def work(self, record: Scene, desk: Desk) -> Sequence[Pictured] | Drop:
        """The scene, always."""
        plain = Pictured(id=record.id, provenance=record.provenance, scene=record)
        frames = await self._frames(record, desk)
        captions, mades = await self._captions(frames, record, desk)
        if len(captions) < FEWEST:
            if frames:
                desk.note("too few pictures to sum up", f"{len(captions)} of {len(frames)}")
            return [plain]
        ask = Ask(prompt(SUMMARY), {"frames": "\n".join(captions)}, Summary, check=_said)
        answered = await desk.ask(ask, of=SUMMARISER)
        if isinstance(answered, Drop):
            desk.note("its pictures could not be summed up", answered.reason)
            return [plain]
        summary = " ".join(answered.value.summary.split())
        return [plain.model_copy(update={"summary": summary}).traced(*mades, answered.made)]

    async def _frames(self, scene: Scene, desk: Desk) -> list[KeyFrame]:
        if self.clips is None or scene.clip is None or scene.split != TRAIN:
            return []
        path = inside(self.clips, scene.clip)
        if not path.is_file():
            desk.note("its clip is not there", scene.clip)
            return []
        try:
            return await key_frames(path, scene.segment, self.shots)
        except MediaError as error:
            desk.note("its clip can't be decoded", str(error))
            return []

    async def _captions(
        self, frames: Sequence[KeyFrame], scene: Scene, desk: Desk
    ) -> tuple[list[str], list[Made]]:
        captions: list[str] = []
        mades: list[Made] = []
        for frame in frames:
            ask = Ask(prompt(FRAME), {}, Caption, check=_said, parts=(frame.picture,))
            answered = await desk.ask(ask, of=CAPTIONER)
            if isinstance(answered, Drop):
                continue
            at = frame.at - scene.segment[0]
            captions.append(f"[{at:.1f} s] {' '.join(answered.value.caption.split())}")
            mades.append(answered.made)
        return captions, mades
