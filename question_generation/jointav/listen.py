"""What is heard in a scene beside the words: sounds, music, and how lines are spoken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from question_generation.ask import Ask
from question_generation.drop import Drop
from question_generation.jointav.heard import line_said, trait
from question_generation.jointav.look import Told, placed
from question_generation.jointav.scene_sound import sound_of
from question_generation.jointav.subtitles import clean
from question_generation.prompt import prompt
from question_generation.provenance import Made
from question_generation.scene import Scene
from question_generation.stage import Desk
from strad.record import Record, TimedText
from strad_engines.messages import Audio

LISTENER = "listener"
SOUND, VOICE = "jointav-sound.v1", "jointav-voice.v1"


class Heard(Record):
    """Sounds and music of a scene."""

    sounds: tuple[Told, ...]
    music: tuple[Told, ...]


class Utterance(Record):
    """How one line is spoken."""

    said: str
    tone: str
    voice: str = ""
    """What the voice tells of the speaker."""


class Utterances(Record):
    """All that are not neutral."""

    utterances: tuple[Utterance, ...]


@dataclass(frozen=True, slots=True)
class Listen:
    """Adds ``sounds``, ``music`` and ``vocal_traits``, by a model that hears.

    A scene without sound, or whose sound the model can't tell, goes on without.
    """

    clips: Path
    name: str = "listen"
    version: str = "1"
    roles: tuple[str, ...] = (LISTENER,)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {}

    @property
    def reads(self) -> type[Scene]:
        return Scene

    @property
    def writes(self) -> type[Scene]:
        return Scene

    async def work(self, record: Scene, desk: Desk) -> Sequence[Scene] | Drop:
        audio = await sound_of(self.clips, record)
        if isinstance(audio, Drop):
            return audio
        if audio is None:
            return [record]
        heard = await self._sounds(record, audio, desk)
        return [await self._voices(heard, audio, desk)]

    async def _sounds(self, scene: Scene, audio: Audio, desk: Desk) -> Scene:
        blanks = {"length": f"{scene.segment[1] - scene.segment[0]:.1f}"}
        ask = Ask(prompt(SOUND), blanks, Heard, parts=(audio,))
        answered = await desk.ask(ask, of=LISTENER)
        if isinstance(answered, Drop):
            return scene
        sounds = placed(answered.value.sounds, scene.segment)
        music = placed(answered.value.music, scene.segment)
        return _with(
            scene, answered.made, sounds=(*scene.sounds, *sounds), music=(*scene.music, *music)
        )

    async def _voices(self, scene: Scene, audio: Audio, desk: Desk) -> Scene:
        dialogue = clean(scene.dialogue).dialogue
        if not dialogue:
            return scene
        said = "\n".join(f"- {line.text}" for line in dialogue)
        ask = Ask(prompt(VOICE), {"dialogue": said}, Utterances, parts=(audio,))
        answered = await desk.ask(ask, of=LISTENER)
        if isinstance(answered, Drop):
            return scene
        traits = traits_of(answered.value.utterances, dialogue)
        return _with(scene, answered.made, vocal_traits=(*scene.vocal_traits, *traits))


def traits_of(
    utterances: Sequence[Utterance], dialogue: Sequence[TimedText]
) -> tuple[TimedText, ...]:
    """Traits that are not neutral, of lines that are there; of each line the first."""
    found: dict[float, TimedText] = {}
    for one in utterances:
        line = line_said(one.said, dialogue)
        told = trait(line, one.tone, one.voice) if line else None
        if line and told:
            found.setdefault(line.start, told)
    return tuple(found[start] for start in sorted(found))


def _with(scene: Scene, made: Made, **lines: tuple[TimedText, ...]) -> Scene:
    return scene.model_copy(update=lines).traced(made)
