"""From looks to claims about on-screen text: read twice alike and not being spoken. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from strad.decision import Kind
from strad.speech import Word
from strad.timeline import Ms
from streaming.describers.facts.claim import Claim, plain
from streaming.describers.facts.look import Line, Look

LEAST_SCORE = 0.9
LEAST_LETTERS = 3
LETTER_SHARE = 0.6
"""Share of a line that must be letters, digits or spaces: texture is read as signs."""
READINGS = 2
ALIKE = 0.9
SPOKEN_SHARE = 0.6
"""Share of a line's words heard near it from which it is a subtitle, not news."""
SPOKEN_NEAR: Ms = 4000
_CJK = ("zh", "ja", "ko")


def titles(looks: Sequence[Look], since: Ms, words: Iterable[Word], language: str) -> list[Claim]:
    """The lines of the newest look with text, top to bottom, that an earlier look read too."""
    shown = [look for look in looks if _legible(look, language)]
    if not shown or shown[-1].t < since:
        return []
    claims = [_claim(line, looks, language) for line in _legible(shown[-1], language)]
    return [c for c in claims if len(c.seen) >= READINGS and not _spoken(c, words)]


def _legible(look: Look, language: str) -> list[Line]:
    lines = [line for line in look.lines if _is_text(line, language)]
    return sorted(lines, key=lambda line: (round(line.box.middle[1], 1), line.box.left))


def _is_text(line: Line, language: str) -> bool:
    text = line.text.strip()
    letters = [c for c in text if c.isalpha()]
    fair = sum(c.isalnum() or c.isspace() for c in text) >= LETTER_SHARE * len(text)
    known = language[:2] in _CJK or all(_is_latin(c) for c in letters)
    return line.score >= LEAST_SCORE and len(letters) >= LEAST_LETTERS and fair and known


def _is_latin(letter: str) -> bool:
    return "LATIN" in unicodedata.name(letter, "")


def _claim(line: Line, looks: Sequence[Look], language: str) -> Claim:
    read = {look.t: same for look in looks if (same := _again(line, _legible(look, language)))}
    return Claim(
        kind=Kind.TEXT,
        subject=" ".join(line.text.split()),
        seen=tuple(read),
        score=sum(same.score for same in read.values()) / len(read),
        by=frozenset({"ocr"}),
    )


def _again(line: Line, lines: Iterable[Line]) -> Line | None:
    return next((other for other in lines if alike(line.text, other.text)), None)


def alike(one: str, other: str) -> bool:
    """Whether two readings are of the same line. Digits must agree."""
    first, second = plain(one), plain(other)
    if _digits(first) != _digits(second):
        return False
    return first == second or SequenceMatcher(None, first, second).ratio() >= ALIKE


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _spoken(claim: Claim, words: Iterable[Word]) -> bool:
    """Whether the line is being said anyway."""
    near = {
        plain(word.text)
        for word in words
        if claim.seen[0] - SPOKEN_NEAR <= word.when.end
        and word.when.start <= claim.seen[-1] + SPOKEN_NEAR
    }
    said = [plain(part) in near for part in claim.subject.split() if plain(part)]
    return bool(said) and sum(said) >= SPOKEN_SHARE * len(said)
