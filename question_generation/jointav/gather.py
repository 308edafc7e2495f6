"""Scenes into programmes: all scenes of a video, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.jointav.draft import Programme
from question_generation.provenance import Made
from question_generation.scene import Scene
from question_generation.stage import Fate


@dataclass(frozen=True, slots=True)
class Programmes:
    """Puts scenes together by ``video_id``. Holds the scenes of videos that are not yet whole."""

    name: str = "programmes"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reads(self) -> type[Scene]:
        return Scene

    @property
    def writes(self) -> type[Programme]:
        return Programme

    def gather(self, records: Iterable[Scene], *, seed: int) -> Iterator[Fate[Programme]]:
        left = Counter(scene.video_id for scene in records)
        held: dict[str, list[Scene]] = {}
        for scene in records:
            video = scene.video_id
            held.setdefault(video, []).append(scene)
            left[video] -= 1
            if not left[video]:
                yield _programme(video, held.pop(video))


def _programme(video: str, scenes: list[Scene]) -> Fate[Programme]:
    ordered = tuple(sorted(scenes, key=lambda scene: (scene.segment, scene.id)))
    made = Programme(id=video, scenes=ordered, provenance=sources(ordered))
    return Fate(tuple(scene.id for scene in ordered), made)


def sources(scenes: Sequence[Scene]) -> tuple[Made, ...]:
    """Which models and prompts the scenes come from, each once; what they cost is the scenes'."""
    found: dict[tuple[str, str, str, int], Made] = {}
    for made in (each for scene in scenes for each in scene.provenance):
        told = made.model_dump(include={"stage", "model", "prompt", "prompt_sha256", "seed"})
        key = (made.stage, made.model, made.prompt_sha256, made.seed)
        found.setdefault(key, Made.model_validate(told))
    return tuple(found.values())
