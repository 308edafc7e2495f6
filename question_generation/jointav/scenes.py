"""Videos into scenes: cut where they cut, with what is said in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from question_generation.drop import Drop
from question_generation.jointav.shots import Cutting, shots
from question_generation.jointav.speech_lines import Recogniser, from_subtitles
from question_generation.jointav.video import Video
from question_generation.scene import Scene
from question_generation.stage import Desk
from strad.errors import MediaError
from strad.record import TimedText
from strad.timeline import Interval, to_seconds
from strad_eval.asking.frames import inside


@dataclass(frozen=True, slots=True)
class Scenes:
    """One scene a shot of five seconds or more. A video that can't be decoded is dropped."""

    clips: Path
    cutting: Cutting = field(default_factory=Cutting)
    recogniser: Recogniser = field(default_factory=Recogniser)
    name: str = "scenes"
    version: str = "1"
    roles: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        told = {"asr": self.recogniser.asr, "language": self.recogniser.language}
        return {**asdict(self.cutting), **told}

    @property
    def reads(self) -> type[Video]:
        return Video

    @property
    def writes(self) -> type[Scene]:
        return Scene

    async def work(self, record: Video, desk: Desk) -> Sequence[Scene] | Drop:
        film = inside(self.clips, record.clip)
        try:
            found = await shots(film, self.cutting)
            said = await self._said(record, film)
        except MediaError as error:
            return Drop("the video can't be decoded", str(error))
        return [_scene(record, number, when, said) for number, when in enumerate(found)]

    async def _said(self, video: Video, film: Path) -> tuple[TimedText, ...]:
        if video.subtitles is None:
            return await self.recogniser.lines(film)
        return from_subtitles(inside(self.clips, video.subtitles))


def _scene(video: Video, number: int, when: Interval, said: Sequence[TimedText]) -> Scene:
    start, end = to_seconds(when.start), to_seconds(when.end)
    return Scene(
        id=f"{video.id}-{number:04d}",
        video_id=video.id,
        film_id=video.film_id,
        segment=(start, end),
        dialogue=tuple(line for line in said if start <= line.start < end),
        facts=video.facts,
        clip=video.clip,
        split=video.split,
        provenance=video.provenance,
    )
