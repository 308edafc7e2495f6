"""Who is known in a film, by the options that name a bank of characters and portraits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from strad.errors import InputError
from strad_engines.weights import Weights
from streaming.characters.bank import read_bank
from streaming.characters.cast import Casting
from streaming.characters.loading import load_faces
from training.preparing.wishes import digest


@dataclass(frozen=True, slots=True)
class Bank:
    """The two options. Raises InputError where they don't go together."""

    characters: Path | None
    portraits: Path | None

    def __post_init__(self) -> None:
        if (self.characters is None) != (self.portraits is None):
            raise InputError("--characters and --portraits go together")
        if self.portraits is not None and not self.portraits.is_dir():
            raise InputError(f"{self.portraits}: is no folder")

    @property
    def identity(self) -> str:
        """The same while neither changes."""
        if self.characters is None or self.portraits is None:
            return ""
        try:
            bank = self.characters.read_bytes()
        except OSError as error:
            why = (error.strerror or "").lower()
            raise InputError(f"{self.characters}: can't be read: {why}") from None
        pictures = sorted((p.name, p.stat().st_size) for p in self.portraits.iterdir())
        return digest([bank, pictures])


def casting_of(bank: Bank) -> Casting | None:
    """None without a bank. Raises InputError, FormatError, MissingModelError."""
    if bank.characters is None or bank.portraits is None:
        return None
    return Casting(read_bank(bank.characters), bank.portraits, *load_faces(Weights()))
