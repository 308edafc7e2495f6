"""What an answerer is given of the film: nothing, what is seen, what is heard, or both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Protocol, TypeAlias

from question_generation.jointav.draft import SEEN, Draft, told
from question_generation.jointav.footage import Footage, footage
from question_generation.scene import Kind
from strad.errors import MediaError
from strad_engines.messages import Part as MessagePart
from strad_eval.asking.frames import inside

Given: TypeAlias = Literal["text-only", "vision-only", "audio-only", "both"]

HEARD: tuple[Kind, ...] = ("dialogue", "sound", "music", "vocal traits")
ALONE: tuple[Given, ...] = ("text-only", "vision-only", "audio-only")
"""One modality each; text is question and options, and no film at all."""
KINDS: Mapping[Given, tuple[Kind, ...]] = MappingProxyType(
    {"text-only": (), "vision-only": (SEEN,), "audio-only": HEARD, "both": (SEEN, *HEARD)}
)
HAD: Mapping[Given, str] = MappingProxyType(
    {
        "text-only": "read question and options",
        "vision-only": "seen the picture, without sound",
        "audio-only": "heard the sound, without a picture",
        "both": "seen and heard it",
    }
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What one answerer is given."""

    text: str
    parts: tuple[MessagePart, ...] = ()


class Evidence(Protocol):
    """Where it comes from: descriptions, or the film itself."""

    @property
    def name(self) -> str:
        """For settings and provenance."""
        ...

    async def of(self, draft: Draft, given: Given) -> Shown:
        """What is given of the draft's part of the film. Raises MediaError and its kinds."""
        ...


@dataclass(frozen=True, slots=True)
class Described:
    """The scenes' own lines: what a model has written of picture and sound, and the subtitles."""

    name: str = "lines"

    async def of(self, draft: Draft, given: Given) -> Shown:
        kinds = KINDS[given]
        if not kinds:
            return Shown("You have neither seen nor heard the film.")
        return Shown(f"You have {HAD[given]}:\n\n{told(draft.parts, *kinds)}")


@dataclass(frozen=True, slots=True)
class Filmed:
    """The film itself: pictures, at one a second and sixty at most, and sound.

    Subtitles are not given: who hears has to hear.
    """

    clips: Path
    name: str = "film"

    async def of(self, draft: Draft, given: Given) -> Shown:
        if given == "text-only":
            return Shown("You have neither seen nor heard the film.")
        if draft.clip is None:
            raise MediaError(f"{draft.id}: its video is not known")
        found = await footage(inside(self.clips, draft.clip), draft.segment)
        return Shown(f"You have {HAD[given]}. It is given above.", _parts(found, given))


def _parts(found: Footage, given: Given) -> tuple[MessagePart, ...]:
    sound = () if found.audio is None or given == "vision-only" else (found.audio,)
    return sound if given == "audio-only" else (found.video, *sound)
