"""The sound of a scene, as those who listen to it take it."""

from __future__ import annotations

from pathlib import Path

from question_generation.drop import Drop
from question_generation.jointav.footage import footage
from question_generation.scene import Scene
from strad.errors import MediaError
from strad_engines.messages import Audio
from strad_eval.asking.frames import inside


async def sound_of(clips: Path, scene: Scene) -> Audio | Drop | None:
    """None where it has none, or no video; a Drop where the video can't be decoded."""
    if scene.clip is None:
        return None
    try:
        found = await footage(inside(clips, scene.clip), scene.segment)
    except MediaError as error:
        return Drop("the video can't be decoded", str(error))
    return found.audio
