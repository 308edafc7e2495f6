"""Where things stand in a JSON text, so that a refusal can name the line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

JsonPath = tuple[str | int, ...]
"""Keys and indexes from the root to a value."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


class JsonValue(NamedTuple):
    """A value where it begins."""

    path: JsonPath
    line: int
    """From 1."""
    token: str
    """The value itself; of a container, its opening bracket."""


def positions(text: str) -> Iterator[JsonValue]:
    """Every value of a well-formed JSON text, in order of appearance."""
    path: list[str | int] = []
    line, counted, key_next = 1, 0, False
    for token in _TOKEN.finditer(text):
        line, counted = line + text.count("\n", counted, token.start()), token.start()
        mark = token.group()
        if mark in "}]":
            path.pop()
        elif mark == ",":
            key_next = _step(path)
        elif key_next and mark != ":":
            path[-1], key_next = json.loads(mark), False
        elif mark != ":":
            yield JsonValue(tuple(path), line, mark)
            if mark in "{[":
                path.append("" if mark == "{" else 0)
                key_next = mark == "{"


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line of the value at ``path``, or of the nearest one around it that is there."""
    wanted, best, line = tuple(path), -1, 1
    for value in positions(text):
        depth = len(value.path)
        if depth > best and value.path == wanted[:depth]:
            best, line = depth, value.line
    return line


def first_fault(text: str) -> tuple[str, int]:
    """The first thing that JSON's grammar or Python lets pass and we don't, with its line.

    That is a repeated key, NaN or a number too large. The text must hold one of them.
    """
    seen: set[JsonPath] = set()
    for value in positions(text):
        if value.path in seen:
            return f"the key {value.path[-1]!r} stands twice in one object", value.line
        if not _is_sound(value.token):
            return f"not a finite number: {value.token[:20]}", value.line
        seen.add(value.path)
    raise AssertionError("no fault in this text")


def _is_sound(token: str) -> bool:
    if token[0] in '{["' or token in {"true", "false", "null"}:
        return True
    return math.isfinite(float(token))


def _step(path: list[str | int]) -> bool:
    """Go on to the next member of the innermost container; whether a key comes first."""
    last = path[-1]
    if isinstance(last, int):
        path[-1] = last + 1
        return False
    return True
