"""Grammars let through what the expression matches: a reader of grammars checks it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.errors import InputError
from strad_engines.gbnf import grammar_of

pytestmark = pytest.mark.unit

LINE = r"WAIT|AD <\d{1,3}\.\d> [^<>\n]{1,240} <\d{1,3}\.\d>"


@dataclass
class Reader:
    """Reads ``root ::= ...`` as llama.cpp's guide to grammars says, and matches strings by it."""

    rule: str
    at: int = 0

    def accepts(self, text: str) -> bool:
        self.at = len("root ::= ")
        ends = self.ways(text, {0})
        assert self.rule[self.at :] == "\n"
        return len(text) in ends

    def ways(self, text: str, starts: set[int]) -> set[int]:
        found = self.sequence(text, starts)
        while self.rule[self.at :].startswith("| "):
            self.at += 2
            found |= self.sequence(text, starts)
        return found

    def sequence(self, text: str, ends: set[int]) -> set[int]:
        while self.rule[self.at] not in "|)\n":
            ends = self.repeated(text, ends)
            if self.rule[self.at] == " ":
                self.at += 1
        return ends

    def repeated(self, text: str, starts: set[int]) -> set[int]:
        begin = self.at
        once = self.atom(text, starts)
        found = re.compile(r"\{(\d+),(\d*)\}").match(self.rule, self.at)
        if found is None:
            return once
        least, most = int(found[1]), int(found[2] or len(text) + 1)
        reached = set(starts) if least == 0 else set()
        ends = set(starts)
        for times in range(1, most + 1):
            self.at = begin
            ends = self.atom(text, ends)
            reached |= ends if times >= least else set()
            if not ends or (times > least and times > len(text)):
                break
        self.at = found.end()
        return reached

    def atom(self, text: str, starts: set[int]) -> set[int]:
        opening = self.rule[self.at]
        self.at += 1
        if opening == "(":
            ends = self.ways(text, starts)
            self.at += 1
            return ends
        if opening == '"':
            literal = "".join(self.chars('"'))
            return {s + len(literal) for s in starts if text.startswith(literal, s)}
        negated = self.rule[self.at] == "^"
        self.at += negated
        allowed = set(self.members())
        return {s + 1 for s in starts if s < len(text) and (text[s] in allowed) != negated}

    def members(self) -> Iterator[str]:
        while self.rule[self.at] != "]":
            first = last = self.char()
            if self.rule[self.at] == "-":
                self.at += 1
                last = self.char()
            yield from map(chr, range(ord(first), ord(last) + 1))
        self.at += 1

    def chars(self, end: str) -> Iterator[str]:
        while self.rule[self.at] != end:
            yield self.char()
        self.at += 1

    def char(self) -> str:
        found = re.compile(r"\\x([0-9A-F]{2})|\\U([0-9A-F]{8})|([0-9A-Za-z_])").match(
            self.rule, self.at
        )
        assert found is not None, self.rule[self.at :]
        self.at = found.end()
        return found[3] or chr(int(found[1] or found[2], 16))


ATOMS = st.sampled_from(
    [
        "a",
        "b",
        r"\.",
        " ",
        "é",
        "[ab]",
        "[^a]",
        "[a-c. ]",
        r"\d",
        r"\w",
        r"\s",
        ".",
        r"[\d-]",
        "[^é]",
    ]
)
REGEX = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda ways: f"({'|'.join(ways)})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{2}", "{1,3}", "*?"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@given(REGEX, st.text("abc. é1\n|_", max_size=5))
def test_a_grammar_accepts_what_its_expression_matches(regex: str, text: str) -> None:
    matches = re.fullmatch(regex, text, re.ASCII) is not None
    assert Reader(grammar_of(regex)).accepts(text) == matches


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("WAIT", True),
        ("AD <2.5> A woman opens the door. <4.0>", True),
        ("AD <2.5>   <4.0>", True),
        ("AD <2.5> <4.0>", False),
        ("AD <2.5> a<b <4.0>", False),
        ("WAIT ", False),
        ("AD <2.5> " + "x" * 241 + " <4.0>", False),
    ],
)
def test_the_line_of_an_audio_description(text: str, fits: bool) -> None:
    assert (re.fullmatch(LINE, text) is not None) == fits
    assert Reader(grammar_of(LINE)).accepts(text) == fits


def test_a_category_is_never_wider_than_the_expressions() -> None:
    assert re.fullmatch(r"\d", "\u0663")
    assert not Reader(grammar_of(r"\d")).accepts("\u0663")


@pytest.mark.parametrize(
    "regex",
    ["(", r"(a)\1", "(?=a)b", "^a$", "(?i)a", "(?i:a)", r"\D", r"[^\d]", r"\b", "a++", "(?>a)"],
)
def test_what_a_grammar_cannot_say_is_refused(regex: str) -> None:
    with pytest.raises(InputError):
        grammar_of(regex)
