"""JointAVBench's scoring: which letters an answer names, by any of several signs.

Source: the evaluation program its authors publish (Apache-2.0), built from what it does. Exactly
one letter is an answer; none or several are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from strad_eval.mcq.item import LETTERS, Item
from strad_eval.mcq.verdict import Verdict

_QUOTE = r"""['"(*]*"""
_SIGNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i:answer(?:\s+is\s*:?|\s*:))\s*{_QUOTE}([A-Z])\b",
        r"\b([A-Z])\b['\")*]*\s+(?i:is\s+(?:the\s+)?correct)",
        rf"(?i:option)\s*{_QUOTE}([A-Z])\b",
        rf"(?i:selected)\s*{_QUOTE}([A-Z])\b",
        r"""['"]?\b([A-Z])\b['"]?\s+(?i:is\s+the\s+answer)""",
        r"\b([A-Z])\b\. ",
    )
)


def score(output: str, item: Item, shown: Sequence[int], *, contains: bool = False) -> Verdict:
    """``shown`` is the order in which the options were shown: their own places, from 0.

    ``contains``: a one-word answer names every letter in it, as the authors' program has it.
    """
    letters = LETTERS[: len(item.options)]
    found = {letter for letter in _letters(output) if letter in letters}
    found |= {letters[at] for at, own in enumerate(shown) if _holds(output, item.options[own])}
    found |= _of_one_word(output, letters, contains)
    if len(found) != 1:
        return Verdict.UNPARSED
    own = shown[letters.index(found.pop())]
    return Verdict.RIGHT if own == item.answer else Verdict.WRONG


def _letters(output: str) -> Iterator[str]:
    for sign in _SIGNS:
        yield from (match.group(1) for match in sign.finditer(output))


def _holds(output: str, option: str) -> bool:
    return bool(option.strip()) and (option in output or option.lower() in output)


def _of_one_word(output: str, letters: str, contains: bool) -> set[str]:
    words = output.split()
    if len(words) != 1:
        return set()
    if contains:
        return {letter for letter in letters if letter in words[0]}
    alone = re.sub(r"[\W_]", "", words[0]).upper()
    return {alone} if len(alone) == 1 and alone in letters else set()
