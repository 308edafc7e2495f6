"""The service's settings: one frozen dataclass, and the only reader of the environment."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_address
from typing import Any

from service.loopback import is_loopback
from strad.errors import InputError

PREFIX = "STRAD_"

_KINDS: dict[str, Callable[[str], str | int | float]] = {"str": str, "int": int, "float": float}
"""How to read a field of each type, by its annotation."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything there may be. Times are wall seconds."""

    streams: int = 8
    """How many may be live at once."""
    viewers: int = 200
    """How many may watch one stream, or wait for streams to come."""
    hello: float = 10.0
    """How soon a publisher must say hello."""
    silence: float = 60.0
    """A publisher that says nothing for so long is gone."""
    stall: float = 10.0
    """A viewer that takes nothing for so long is dropped."""
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
            least = 1 if field.type == "int" else 0.001
            if not math.isfinite(value) or value < least:
                raise InputError(f"setting {field.name} must be at least {least}, not {value}")


@dataclass(frozen=True, slots=True)
class Settings:
    """Each, and each limit, is read from ``STRAD_`` and its name in capitals."""

    host: str = "127.0.0.1"
    port: int = 8000
    describer: str = "facts"
    """Which describer a stream gets that asks for none."""
    delay: float = 12.0
    """Seconds that viewers play behind the live edge, where the publisher says nothing."""
    models: str = ""
    """A folder of the operator's own model files, looked into first."""
    cache: str = ""
    """Where joined model files are kept; empty: the platform's cache folder."""
    asr: str = "base"
    """The speech model, by name or folder; ``off``: no words, only voice activity."""
    names: str = ""
    """More host names it is asked for by, with commas between: those of a proxy in front."""
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        if not _is_address(self.host):
            raise InputError(
                f"setting host must be localhost or an address such as 127.0.0.1, not {self.host!r}"
            )
        if not math.isfinite(self.delay) or not 0 <= self.delay <= 120:
            raise InputError(f"setting delay must be 0 to 120 seconds, not {self.delay}")
        if not 0 <= self.port <= 65_535:
            raise InputError(f"setting port must be 0 to 65535, not {self.port}")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Settings:
        """From ``STRAD_*``. Raises InputError, naming the variable."""
        limits = Limits(**_read(Limits, environment))
        return cls(**_read(cls, environment), limits=limits)

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return is_loopback(self.host)


def _is_address(host: str) -> bool:
    try:
        return host == "localhost" or bool(ip_address(host))
    except ValueError:
        return False


def _read(kind: type[Limits] | type[Settings], environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields(kind):
        name = PREFIX + field.name.upper()
        if name not in environment or str(field.type) not in _KINDS:
            continue
        try:
            found[field.name] = _KINDS[str(field.type)](environment[name])
        except ValueError:
            wanted = "a whole number" if field.type == "int" else "a number"
            raise InputError(f"{name} must be {wanted}, not {environment[name]!r}") from None
    return found
