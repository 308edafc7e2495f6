"""Scenes as they come, made clean: subtitles, sounds, music and vocal traits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.drop import Drop
from question_generation.jointav import heard, subtitles
from question_generation.scene import Scene
from question_generation.stage import Desk
from strad.record import TimedText


@dataclass(frozen=True, slots=True)
class Clean:
    """Rules only; a scene in which nothing is seen or nothing is heard is dropped."""

    name: str = "clean"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    roles: tuple[str, ...] = ()

    @property
    def reads(self) -> type[Scene]:
        return Scene

    @property
    def writes(self) -> type[Scene]:
        return Scene

    async def work(self, record: Scene, desk: Desk) -> Sequence[Scene] | Drop:
        scene = cleaned(record)
        if not scene.lines("visual"):
            return Drop("nothing is seen in the scene")
        if not scene.lines("dialogue", "sound", "music", "vocal traits"):
            return Drop("nothing is heard in the scene")
        return [scene]


def cleaned(scene: Scene) -> Scene:
    """The scene with clean lines; traits of lines that are no longer there go with them."""
    found = subtitles.clean(scene.dialogue)
    starts = {line.start for line in found.dialogue}
    update: dict[str, tuple[TimedText, ...]] = {
        "dialogue": found.dialogue,
        "sounds": heard.sounds([*scene.sounds, *found.sounds]),
        "music": heard.sounds([*scene.music, *found.music]),
        "vocal_traits": tuple(one for one in scene.vocal_traits if one.start in starts),
        "visuals": heard.sounds(scene.visuals),
    }
    return scene.model_copy(update=update)
