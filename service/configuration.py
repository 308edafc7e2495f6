"""The configuration: settings, and where each came from. The only reader of the environment.

A flag wins over the environment, the environment over the file, the file over the default.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from service.settings import Settings
from strad.errors import FormatError, InputError
from strad.text_file import read_text
from streaming.sources import redacted

PREFIX = "STRAD_"

PASSED_OVER = (
    *("STRAD_CONFIG", "STRAD_TOKEN", "STRAD_EVAL_", "STRAD_TEST_"),
    *("STRAD_SERVICE_", "STRAD_PORT_"),
)
"""Beginnings of variables that mean something to others: our commands, and Kubernetes, which sets
the last two in every container beside a Service called strad."""

MASK = "********"


def _flag(text: str) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    return words[text.strip().lower()]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part for each in text.split(",") if (part := each.strip()))


@dataclass(frozen=True, slots=True)
class _Kind:
    """A type of setting: how people call it, how text becomes it, what TOML may hold for it."""

    called: str
    read: Callable[[str], object]
    toml: tuple[type, ...]


KINDS: Mapping[str, _Kind] = {
    "str": _Kind("text", str, (str,)),
    "int": _Kind("a whole number", int, (int,)),
    "float": _Kind("a number", float, (int, float)),
    "bool": _Kind("true or false", _flag, (bool,)),
    "tuple[str, ...]": _Kind("a list of texts", _listed, (list,)),
}
"""By a field's annotation."""


@dataclass(frozen=True, slots=True)
class Place:
    """One setting: its table, empty at the top, and its field there."""

    table: str
    field: Field[Any]

    @property
    def name(self) -> str:
        """As in the file: ``limits.streams``."""
        return f"{self.table}.{self.field.name}" if self.table else self.field.name

    @property
    def variable(self) -> str:
        """As in the environment. Limits go by their own name: ``STRAD_STREAMS``."""
        table = f"{self.table}_" if self.table not in ("", "limits") else ""
        return f"{PREFIX}{table}{self.field.name}".upper()

    @property
    def kind(self) -> _Kind:
        return KINDS[str(self.field.type)]

    @property
    def secret(self) -> bool:
        return bool(self.field.metadata.get("secret"))


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings in effect, and the source of each: default, a file, a variable, or a flag."""

    settings: Settings
    sources: Mapping[str, str]
    """By the setting's name; what stands at its default isn't there."""

    def lines(self) -> Iterator[str]:
        """All settings as TOML, each with its source behind it. No secret is shown."""
        table = ""
        for place in places():
            if place.table != table:
                table = place.table
                yield f"[{table}]"
            shown = _shown(place, value_of(self.settings, place))
            yield f"{place.field.name} = {shown}  # {self.sources.get(place.name, 'default')}"


def places() -> Iterator[Place]:
    """Every setting, the top ones first."""
    for each in fields(Settings):
        if not _table(each):
            yield Place("", each)
    for each in fields(Settings):
        if inner := _table(each):
            yield from (Place(each.name, field) for field in fields(inner))


def value_of(settings: Settings, place: Place) -> object:
    holder = getattr(settings, place.table) if place.table else settings
    return getattr(holder, place.field.name)


def configure(
    *,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Configuration:
    """Settings from all sources; ``flags`` by a setting's name, None where not given.

    Raises InputError in one line: an unknown name, with the nearest one, or a wrong value.
    """
    found: dict[str, object] = {}
    sources: dict[str, str] = {}
    for source, values in (
        (str(file), _from_file(file) if file else {}),
        ("", _from_environment(environment or {})),
        ("flag", {name: v for name, v in (flags or {}).items() if v is not None}),
    ):
        for name, value in values.items():
            found[name] = value
            sources[name] = source or _by_name()[name].variable
    return Configuration(_settings(found), sources)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """From ``STRAD_*`` alone. Raises InputError, naming the variable."""
    return configure(environment=environment).settings


def _settings(found: Mapping[str, object]) -> Settings:
    top: dict[str, Any] = {name: v for name, v in found.items() if "." not in name}
    for each in fields(Settings):
        if inner := _table(each):
            prefix = f"{each.name}."
            inside = {n.removeprefix(prefix): v for n, v in found.items() if n.startswith(prefix)}
            if inside:
                top[each.name] = inner(**inside)
    return Settings(**top)


def _from_environment(environment: Mapping[str, str]) -> dict[str, object]:
    known = {place.variable: place for place in places()}
    found: dict[str, object] = {}
    for variable, text in environment.items():
        if variable in known:
            found[known[variable].name] = _read(known[variable], text)
        elif variable.startswith(PREFIX) and not variable.startswith(PASSED_OVER):
            raise InputError(f"{variable} is no setting{_nearest(variable, known)}")
    return found


def _read(place: Place, text: str) -> object:
    try:
        return place.kind.read(text)
    except (ValueError, KeyError):
        shown = MASK if place.secret else repr(text)
        raise InputError(f"{place.variable} must be {place.kind.called}, not {shown}") from None


def _from_file(file: Path) -> dict[str, object]:
    try:
        tables = tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not TOML: {error}", file=str(file)) from None
    known, found = _by_name(), {}
    for name, value in _flat(tables):
        if name not in known:
            raise InputError(f"{file}: {name} is no setting{_nearest(name, known)}")
        kind = known[name].kind
        if not _fits(value, kind):
            raise InputError(f"{file}: {name} must be {kind.called}, not {value!r:.60}")
        found[name] = tuple(value) if isinstance(value, list) else _number(kind, value)
    return found


def _number(kind: _Kind, value: object) -> object:
    return float(value) if kind is KINDS["float"] and isinstance(value, int) else value


def _fits(value: object, kind: _Kind) -> bool:
    if isinstance(value, bool) and bool not in kind.toml:
        return False
    if isinstance(value, list) and not all(isinstance(part, str) for part in value):
        return False
    return isinstance(value, kind.toml)


def _flat(tables: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in tables.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{inner}", each) for inner, each in value.items())
        else:
            yield name, value


def _by_name() -> dict[str, Place]:
    return {place.name: place for place in places()}


def _table(each: Field[Any]) -> type[Any] | None:
    """The dataclass of a field that is a table."""
    default = each.default
    return type(default) if default is not MISSING and is_dataclass(default) else None


def _nearest(name: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _shown(place: Place, value: object) -> str:
    if place.secret:
        return f'"{MASK}"' if value else '""'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(_quoted(str(part)) for part in value) + "]"
    if isinstance(value, str) and "://" in value and "@" in value:
        value = redacted(value)
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{"".join(c if c.isprintable() else "?" for c in escaped)}"'
