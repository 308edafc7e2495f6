"""JSON as models write it, read as they meant it.

Fences, words around, commas too many, an end too early are mended. What would be a guess is not: a
text cut inside a string stays cut.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LONGEST = 200_000
"""Characters; what is longer is no answer."""
_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_CLOSES = {"{": "}", "[": "]"}
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\]]', re.DOTALL)
"""Whole strings, brackets, and the quote of a string that does not end."""
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"'})


class UnreadableError(ValueError):
    """The text holds no JSON that can be told; ``str`` says why, in words that are counted."""


@dataclass(frozen=True, slots=True)
class Readable:
    """What was meant, and what was mended to see it."""

    value: Any
    mended: tuple[str, ...] = ()


def read_json(text: str) -> Readable:
    """The first object or list in ``text``. Raises UnreadableError: empty, cut, or not JSON."""
    text = text.strip().lstrip("\ufeff")
    if not text:
        raise UnreadableError("empty")
    if len(text) > LONGEST:
        raise UnreadableError("longer than an answer can be")
    plain = _loaded(text)
    if isinstance(plain, dict | list):
        return Readable(plain)
    fenced = _FENCE.search(text)
    if fenced and ("{" in fenced.group(1) or "[" in fenced.group(1)):
        inner = _read(fenced.group(1).strip())
        return Readable(inner.value, ("fence", *inner.mended))
    return _read(text)


def _read(text: str) -> Readable:
    plain = _loaded(text)
    if isinstance(plain, dict | list):
        return Readable(plain)
    starts = [match.start() for match in re.finditer(r"{|\[(?=\s*[{\]])", text)][:20]
    starts = starts or [match.start() for match in re.finditer(r"\[", text)][:20]
    if not starts:
        raise UnreadableError("not JSON")
    faults = []
    for start in starts:
        try:
            return _from(text, start)
        except UnreadableError as error:
            faults.append(error)
            if str(error) == "cut":
                break
    raise next((fault for fault in faults if str(fault) == "cut"), faults[0])


def _from(text: str, start: int) -> Readable:
    """What begins at ``start``."""
    end, open_, inside = _extent(text, start)
    body = text[start:end]
    mended = []
    if start or text[end:].strip():
        mended.append("words around")
    if inside:
        if "“" in text or "„" in text:
            return _curly(text, start)
        raise UnreadableError("cut")
    if open_:
        body, closing = _closed(body, open_)
        mended.append("end")
        body += closing
    for name, attempt in _attempts(body):
        value = _loaded(attempt)
        if isinstance(value, dict | list):
            return Readable(value, (*mended, *([name] if name else [])))
    raise UnreadableError("cut" if open_ else "not JSON")


def _curly(text: str, start: int) -> Readable:
    straight = text[start:].translate(_QUOTES)
    value = _loaded(straight[: _extent(straight, 0)[0]])
    if isinstance(value, dict | list):
        return Readable(value, ("quotes",))
    raise UnreadableError("not JSON")


def _attempts(body: str) -> Iterator[tuple[str, str]]:
    """The text, and what it may have been meant to be."""
    yield "", body
    fewer = _without_trailing_commas(body)
    yield "trailing comma", fewer
    yield "quotes", _without_trailing_commas(body.translate(_QUOTES))
    try:
        value = ast.literal_eval(body)
        yield "Python", json.dumps(value)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return


def _extent(text: str, start: int) -> tuple[int, list[str], bool]:
    """Where the brackets from ``start`` on close; those still open at the end; whether in a string.

    Strings are as JSON has them; a bracket in one counts for nothing.
    """
    open_: list[str] = []
    for token in _TOKENS.finditer(text, start):
        mark = token.group()
        if mark == '"':
            return len(text), open_, True
        if mark in "{[":
            open_.append(mark)
        elif mark in "}]":
            if _CLOSES[open_.pop()] != mark:
                raise UnreadableError("not JSON")
            if not open_:
                return token.end(), [], False
    return len(text), open_, False


def _closed(body: str, open_: list[str]) -> tuple[str, str]:
    """The text without what hangs at its end, and the brackets that close it."""
    body = re.sub(r"(?:,\s*|,\s*\"[^\"\\]*\"\s*:\s*|\s+)$", "", body)
    if body.endswith(":"):
        raise UnreadableError("cut")
    return body, "".join(_CLOSES[mark] for mark in reversed(open_))


def _without_trailing_commas(body: str) -> str:
    """Commas right before a closing bracket go, but for those in strings."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', body)
    return "".join(
        part if at % 2 else re.sub(r",(\s*[}\]])", r"\1", part) for at, part in enumerate(parts)
    )


def _loaded(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text, strict=False, parse_constant=_none, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _none(_: str) -> None:
    """NaN and infinity are nothing."""


def _finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None
