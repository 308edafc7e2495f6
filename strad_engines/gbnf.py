r"""A regular expression as a GBNF grammar, which llama-server constrains answers by.

Of Python's syntax: literals, classes, ``.``, ``\d \w \s``, groups, ``|`` and repetition. The three
categories are ASCII here: all that the grammar lets through matches the expression, not the other
way round. Anything else is refused. Source: llama.cpp, grammars/README.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as ops  # type: ignore[attr-defined]  # no public parser of its own syntax
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

from strad.errors import InputError

Node: TypeAlias = tuple[Any, Any]

_CLASSES = {
    ops.CATEGORY_DIGIT: "0-9",
    ops.CATEGORY_WORD: "0-9A-Za-z_",
    ops.CATEGORY_SPACE: r"\x20\x09-\x0D",
}


def grammar_of(regex: str) -> str:
    """The grammar whose every sentence matches ``regex`` as a whole. Raises InputError."""
    try:
        parsed = parser.parse(regex)
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"not a regular expression: {error}") from None
    if parsed.state.flags & ~re.UNICODE:
        raise InputError(f"a grammar can't have flags: {regex[:80]!r}")
    return f"root ::= {_sequence(parsed)}\n"


def _sequence(nodes: Iterable[Node]) -> str:
    return " ".join(_one(node) for node in nodes) or '""'


def _one(node: Node) -> str:
    op, value = node
    match op:
        case ops.LITERAL:
            return f'"{_char(value)}"'
        case ops.NOT_LITERAL:
            return f"[^{_char(value)}]"
        case ops.ANY:
            return r"[^\x0A]"
        case ops.IN:
            return _class(value)
        case ops.BRANCH:
            return f"({' | '.join(_sequence(way) for way in value[1])})"
        case ops.SUBPATTERN if value[1] == value[2] == 0:
            return f"({_sequence(value[3])})"
        case ops.MAX_REPEAT | ops.MIN_REPEAT:
            return _repeated(value)
    raise InputError(f"a grammar can't say this part of the expression: {op}".lower())


def _repeated(value: tuple[int, Any, Sequence[Node]]) -> str:
    least, most, nodes = value
    to = "" if most is ops.MAXREPEAT else most
    return f"({_sequence(nodes)}){{{least},{to}}}"


def _class(items: Sequence[Node]) -> str:
    if {ops.NEGATE, ops.CATEGORY} <= {op for op, _ in items}:
        raise InputError("a grammar can't say all but a category: list what is left out")
    return f"[{''.join(_member(item) for item in items)}]"


def _member(item: Node) -> str:
    op, value = item
    match op:
        case ops.NEGATE:
            return "^"
        case ops.LITERAL:
            return _char(value)
        case ops.RANGE:
            return f"{_char(value[0])}-{_char(value[1])}"
        case ops.CATEGORY if value in _CLASSES:
            return _CLASSES[value]
    raise InputError(f"a grammar can't say this part of a class: {value}".lower())


def _char(code: int) -> str:
    """A character that means itself anywhere in a grammar."""
    if chr(code).isascii() and chr(code).isalnum():
        return chr(code)
    return f"\\x{code:02X}" if code < 0x80 else f"\\U{code:08X}"
