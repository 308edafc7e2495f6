"""``strad-model.json``, beside a checkpoint: how the model was trained to be asked.

A model that is asked in another way than it was trained answers worse, and nobody sees why. So the
way is written down with the weights and checked before the first window.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from strad.errors import InputError
from strad.record import Id, Record, parse_record
from strad_engines.messages import Audio, Image, Message, Part, Text, Video
from streaming.describers.strad_ft.parity_window import parity_window
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import PROFILES

FILE = "strad-model.json"
_SEEDS = range(3)
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Parity(Record):
    """What the model answers to one window made from a seed, greedily and not held to any form."""

    seed: int
    answer: str


class ModelCard(Record):
    """What is written beside a checkpoint."""

    strad: Literal["model"] = "model"
    version: Literal[1] = 1
    profile: Id
    """The name of its prompt profile."""
    instructions: Id
    """The name of the instructions it was trained with."""
    instructions_sha256: Sha256
    layout_sha256: Sha256
    """Of all that the profile makes of a few windows: text, pictures, sound and answers."""
    base: Id
    """The model it was trained from."""
    release: bool = False
    """Whether it was fine-tuned on audio description and found good; else its output is a draft."""
    parity: tuple[Parity, ...] = Field(default=(), strict=False)

    def require(self, profile: Profile, *, where: str = FILE) -> None:
        """Raise InputError, in one line, unless the model was trained with this very profile."""
        if self.profile != profile.name:
            raise InputError(
                f"{where}: the model was trained with profile {self.profile}, not {profile.name}: "
                f"serve it with --profile {self.profile}"
            )
        asked = profile.instructions
        if (self.instructions, self.instructions_sha256) != (asked.name, asked.sha256):
            raise InputError(
                f"{where}: the model was trained with instructions {self.instructions} "
                f"({self.instructions_sha256[:12]}), this version sends {asked.name} "
                f"({asked.sha256[:12]}): train it again, or use the version that it was trained by"
            )
        if self.layout_sha256 != layout_sha256(profile):
            raise InputError(
                f"{where}: the layout of {profile.name} has changed since the model was trained: "
                "train it again, or use the version that it was trained by"
            )


def card_of(
    profile: Profile, *, base: str, release: bool = False, parity: tuple[Parity, ...] = ()
) -> ModelCard:
    """The card of a model trained with ``profile`` as it is now."""
    return ModelCard(
        profile=profile.name,
        instructions=profile.instructions.name,
        instructions_sha256=profile.instructions.sha256,
        layout_sha256=layout_sha256(profile),
        base=base,
        release=release,
        parity=parity,
    )


def read_card(folder: Path) -> ModelCard | None:
    """The card in a checkpoint's folder; None where there is none. Raises InputError."""
    path = folder / FILE
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be read: {error}") from None
    return parse_record(ModelCard, text, file=str(path))


def write_card(folder: Path, card: ModelCard) -> Path:
    """Write it beside the weights. Returns where."""
    path = folder / FILE
    path.write_text(card.model_dump_json(indent=2) + "\n", "utf-8")
    return path


def profile_of(card: ModelCard | None, name: str | None) -> Profile:
    """The profile to serve with: the one named, else the card's. Raises InputError if unfit."""
    if name is None and card is None:
        raise InputError(f"no {FILE} beside the model: name its profile with --profile")
    wanted = name or (card.profile if card else "")
    if wanted not in PROFILES:
        raise InputError(f"no profile {wanted!r}: there are {', '.join(PROFILES)}")
    if card is not None:
        card.require(PROFILES[wanted])
    return PROFILES[wanted]


def layout_sha256(profile: Profile) -> str:
    """Changes with anything that the profile does differently, and only then."""
    found = hashlib.sha256(profile.regex().encode())
    for seed in _SEEDS:
        for message in profile.render(parity_window(seed)):
            found.update(_told(message))
    return found.hexdigest()


def _told(message: Message) -> bytes:
    return b"\0".join([message.role.encode(), *(_bytes(part) for part in message.parts)])


def _bytes(part: Part) -> bytes:
    match part:
        case Text(text):
            return b"text " + text.encode()
        case Image(data):
            return b"image " + data
        case Audio(data):
            return b"audio " + data
        case Video(frames, fps):
            return b"video %r " % fps + b"\0".join(frame.data for frame in frames)
