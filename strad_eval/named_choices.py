"""Choices by name: a frozen dataclass of options, changed by ``name=value`` as people type it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_type_hints

from strad.errors import InputError

MOST = 2**32 - 1
"""The largest number a choice may be."""
_Choices = TypeVar("_Choices")


def preset(presets: Mapping[str, _Choices], compat: str, changes: tuple[str, ...]) -> _Choices:
    """The preset ``compat``, changed. Raises InputError for what it doesn't know."""
    if compat not in presets:
        raise InputError(f"--compat {compat}: choose from {', '.join(presets)}")
    return changed(presets[compat], changes)


def changed(start: _Choices, changes: tuple[str, ...]) -> _Choices:
    """``start`` with the changes. Raises InputError for a name or value that it doesn't know.

    Fields may be int or float (0 to ``MOST``), tuples of either, or a Literal of words.
    """
    kinds = get_type_hints(type(start))
    for change in changes:
        name, equals, value = change.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or name not in kinds:
            raise InputError(f"--reading {change}: want NAME=VALUE, NAME from {', '.join(kinds)}")
        made: dict[str, Any] = {name: _parse(change, kinds[name], value.strip())}
        start = dataclasses.replace(start, **made)  # type: ignore[type-var]
    return start


def _parse(change: str, kind: Any, value: str) -> object:  # noqa: ANN401 a type hint
    try:
        if kind is int:
            return _whole(value)
        if kind is float:
            return _number(value)
        if kind == tuple[int, ...]:
            return tuple(_whole(part) for part in value.split(","))
        if kind == tuple[float, ...]:
            return tuple(_number(part) for part in value.split(","))
    except ValueError as error:
        raise InputError(f"--reading {change}: {error}") from None
    if value not in get_args(kind):
        raise InputError(f"--reading {change}: choose from {', '.join(get_args(kind))}")
    return value


def _whole(text: str) -> int:
    number = int(text)
    if not 0 <= number <= MOST:
        raise ValueError(f"{text.strip()} is out of range")
    return number


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number <= MOST:  # NaN is neither
        raise ValueError(f"{text.strip()} is out of range")
    return number
