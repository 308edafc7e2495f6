"""What a model is shown with a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from strad.errors import InputError

Way: TypeAlias = Literal["options", "vision", "audio", "omni"]
"""Nothing but question and options; frames; sound; both."""
WAYS: tuple[Way, ...] = get_args(Way)


@dataclass(frozen=True, slots=True)
class Shown:
    """One way, and whether what is said is given as text."""

    way: Way
    dialogue: bool
    frames: int = 0
    """How many, where there are any."""

    @property
    def sees(self) -> bool:
        return self.way in ("vision", "omni")

    @property
    def hears(self) -> bool:
        return self.way in ("audio", "omni")

    @property
    def name(self) -> str:
        """Names files and columns."""
        return f"{self.way}+dialogue" if self.dialogue else self.way


def shown(way: str, *, dialogue: bool, frames: int) -> Shown:
    """That way; ``options`` never comes with dialogue. Raises InputError for another word."""
    for known in WAYS:
        if known == way:
            one = Shown(known, dialogue and known != "options")
            return Shown(one.way, one.dialogue, frames if one.sees else 0)
    raise InputError(f"--show {way}: choose from {', '.join(WAYS)}")
