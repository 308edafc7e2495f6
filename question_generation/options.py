"""Options as models write them, made plain, and what can be wrong with a set of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

LETTERS = "ABCDEFGHIJ"
_MARK = re.compile(r"^\s*(?:[-*•]\s+)?(?:\(?([A-Ha-h])[).:]\s+|(?i:option)\s+([A-Ja-j])[).:]\s+)?")
_LETTER = re.compile(r"^\s*(?:option\s+)?[(\[]?([A-Ja-j])[)\].:]?\s*$", re.IGNORECASE)
_TWO = re.compile(
    r"^\s*[(\[]?([A-Ja-j])[)\].]?\s*(?:,|;|/|&|\band\b|\bor\b|\bund\b)\s*[(\[]?([A-Ja-j])[)\].]?\s*$",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"(\*\*|__|`)(.+?)\1", re.DOTALL)


def plain(text: str) -> str:
    """Without marks: bullets, letters, emphasis, quotes around it, spaces too many."""
    text = _EMPHASIS.sub(r"\2", text.strip())
    text = " ".join(_MARK.sub("", text, count=1).split())
    if len(text) > 1 and text[0] == text[-1] == '"' and text.count('"') == 2:
        text = text[1:-1].strip()
    return text


def same(text: str) -> str:
    """What two options that say the same have in common."""
    return re.sub(r"[\W_]+", " ", text).strip().casefold()


def options_fault(options: Sequence[str], count: int) -> str:
    """What is wrong with plain options, in words that are counted; empty: nothing."""
    if len(options) != count:
        return f"not {count} options"
    if any(not same(option) for option in options):
        return "an empty option"
    if len({same(option) for option in options}) < count:
        return "two options are the same"
    return ""


def answer_at(answer: str, options: Sequence[str]) -> tuple[int | None, str]:
    """Which of the plain options is meant, by its letter, its text, or both; or what is wrong."""
    if _TWO.match(answer):
        return None, "two right answers"
    letter = _LETTER.match(answer)
    if letter:
        at = LETTERS.index(letter.group(1).upper())
        return (at, "") if at < len(options) else (None, "the answer is not among the options")
    known = [same(option) for option in options]
    said = same(plain(answer))
    if not said:
        return None, "no answer"
    if said in known:
        return known.index(said), ""
    inside = [at for at, one in enumerate(known) if one and f" {one} " in f" {said} "]
    if len(inside) > 1:
        return None, "two right answers"
    return None, "the answer is not among the options"


def shuffled(options: Sequence[str], chance: Random) -> tuple[str, ...]:
    """The same options in an order of chance."""
    return tuple(chance.sample(list(options), len(options)))


def rotated(options: Sequence[str], by: int) -> tuple[str, ...]:
    """Each option ``by`` places further back, the last ones first again."""
    if not options:
        return ()
    by %= len(options)
    return tuple(options[-by:]) + tuple(options[:-by]) if by else tuple(options)
