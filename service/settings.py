"""The service's settings: one frozen dataclass, and the only reader of the environment."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_address

from strad.errors import InputError

PREFIX = "STRAD_"

_KINDS: dict[str, Callable[[str], str | int | float]] = {"str": str, "int": int, "float": float}
"""How to read a field of each type, by its annotation."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Each is read from ``STRAD_`` and its name in capitals. Times are wall seconds."""

    host: str = "127.0.0.1"
    port: int = 8000
    describer: str = "facts"
    """Which describer a stream gets that asks for none."""
    delay: float = 12.0
    """How far viewers play behind the live edge, where the publisher says nothing."""
    streams: int = 8
    """How many may be live at once."""
    viewers: int = 200
    """How many may watch one stream, or wait for it."""
    silence: float = 60.0
    """A publisher that says nothing for so long is gone."""
    stall: float = 10.0
    """A viewer that takes nothing for so long is dropped."""
    hello: float = 10.0
    """How soon a publisher must say hello."""
    drain: float = 20.0
    """How long a stream whose media has ended may take to say the rest."""
    max_message: int = 1024 * 1024
    """The longest message taken from a socket, in bytes."""
    max_log: int = 5_000
    """How many messages of one stream are kept, for viewers who come late."""
    remembered: int = 32
    """How many ended streams are kept."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                continue
            least = 0 if field.name in ("delay", "port") else 1 if isinstance(value, int) else 0.001
            if not math.isfinite(value) or value < least:
                raise InputError(f"setting {field.name} must be at least {least}, not {value}")
        if self.port > 65_535:
            raise InputError(f"setting port must be at most 65535, not {self.port}")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Settings:
        """From ``STRAD_*``. Raises InputError, naming the variable."""
        found: dict[str, str | int | float] = {}
        for field in fields(cls):
            text = environment.get(PREFIX + field.name.upper())
            if text is None:
                continue
            try:
                found[field.name] = _KINDS[str(field.type)](text)
            except ValueError:
                wanted = "a whole number" if field.type == "int" else "a number"
                name = PREFIX + field.name.upper()
                raise InputError(f"{name} must be {wanted}, not {text!r}") from None
        return cls(**found)  # type: ignore[arg-type]

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False
