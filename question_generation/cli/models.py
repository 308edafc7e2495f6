"""Which model sits in which role: from ``--engine`` and ``--model``, or a file that names them.

The file is TOML: a table ``default``, and one for each role that has another model.

    [default]
    engine = "openai:http://127.0.0.1:8000/v1"
    model = "writer-70b"
    requests_per_minute = 300
    [reader]
    model = "reader-7b"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from question_generation.asking import DEADLINE_S
from question_generation.prices import Prices
from question_generation.seats import Seat, Seats
from strad.errors import FormatError, InputError
from strad.text_file import read_text
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions, Opened

DEFAULT, KEY = "default", "STRAD_ENGINE_KEY"
_KNOWN: Mapping[str, type | tuple[type, ...]] = {
    "engine": str,
    "model": str,
    "key_variable": str,
    "requests_per_minute": (int, float),
    "tokens_per_minute": (int, float),
    "at_once": int,
    "deadline_s": (int, float),
    "extra": dict,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says of models."""

    engine: str = ""
    model: str = ""
    file: Path | None = None
    requests: float | None = None
    tokens: float | None = None
    at_once: int = 8
    deadline_s: float = DEADLINE_S
    prices: Prices = field(default_factory=Prices)

    def seats(self, roles: Mapping[str, str]) -> Seats:
        """One for each role. Raises InputError where one has none."""
        tables = _tables(self.file, roles)
        base = {**self._told(), **tables.get(DEFAULT, {})}
        seats: dict[str, Seat] = {}
        made: dict[str, Seat] = {}
        for role in roles:
            table = {**base, **tables.get(role, {})}
            if not table.get("engine"):
                raise InputError(
                    f"no model for the role {role!r} ({roles[role]}): give --engine and --model,"
                    " or name it in a file for --models"
                )
            seats[role] = made.setdefault(repr(sorted(table.items())), _seat(table))
        return Seats(seats, self.prices)

    def _told(self) -> dict[str, Any]:
        return {
            "engine": self.engine,
            "model": self.model,
            "requests_per_minute": self.requests,
            "tokens_per_minute": self.tokens,
            "at_once": self.at_once,
            "deadline_s": self.deadline_s,
        }


def _seat(table: Mapping[str, Any]) -> Seat:
    kind = str(table["engine"]).partition(":")[0]
    opener = partial(
        _opened,
        table["engine"],
        table["model"],
        table.get("key_variable", KEY),
        table.get("extra", {}),
    )
    return Seat(
        table["model"] or kind,
        opener,
        table["requests_per_minute"],
        table["tokens_per_minute"],
        table["at_once"],
        table["deadline_s"],
    )


def _opened(engine: str, model: str, variable: str, extra: Mapping[str, Any]) -> Opened:
    """The key is read where the engine is opened, and stands in no file."""
    options = EngineOptions(extra=extra)
    return open_engine(engine, model, key=os.environ.get(variable), options=options)


def _tables(path: Path | None, roles: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    if path is None:
        return {}
    try:
        found = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not TOML: {error}", file=str(path)) from None
    for role, table in found.items():
        if role != DEFAULT and role not in roles:
            raise InputError(f"{path}: no role {role!r}; there are: {', '.join(roles)}")
        if not isinstance(table, dict):
            raise InputError(f"{path}: {role} is no table: write [{role}]")
        _check(table, f"{path}: [{role}]")
    return found


def _check(table: Mapping[str, Any], where: str) -> None:
    for name, value in table.items():
        if name not in _KNOWN:
            raise InputError(f"{where} has no {name!r}; there are: {', '.join(_KNOWN)}")
        if isinstance(value, bool) or not isinstance(value, _KNOWN[name]):
            raise InputError(f"{where}: {name} has a wrong kind of value")
        if isinstance(value, int | float) and value <= 0:
            raise InputError(f"{where}: {name} must be above 0")
