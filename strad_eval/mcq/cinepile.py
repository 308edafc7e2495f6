"""CinePile's scoring: an answer's letter and text are found, then compared with the key.

Source: Rawal et al. 2024, section 5, and the normaliser its authors publish, built from what it
does. Ours asks that the letter stand alone ("Answer: Because" holds no B) and drops a comma after
it, as in the paper's own example ("Answer: D, The Eiffel Tower").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from strad_eval.mcq.item import LETTERS, Item
from strad_eval.mcq.verdict import Verdict

_MARKED = re.compile(r"answer:\s*\(?([a-z])(?![\w'])\)?[.,:;]?\s*(.*)", re.IGNORECASE)


def normalise(output: str, options: int) -> tuple[str | None, str]:
    """The letter, if one is given, and the text that is left."""
    text = output.replace("*", "").strip()
    letters = LETTERS[:options]
    if len(text) == 1 and text.upper() in letters:
        return text.upper(), ""
    found = _MARKED.search(text)
    if found and found.group(1).upper() in letters:
        return found.group(1).upper(), found.group(2).strip()
    return None, text


def score(output: str, item: Item, *, rescue: bool = True) -> Verdict:
    """Whether the output is right, and whether a choice was found in it at all."""
    letter, text = normalise(output, len(item.options))
    if letter is not None:
        right = letter == LETTERS[item.answer]
        same = not text or not item.key or text.casefold() == item.key.casefold()
        return Verdict.RIGHT if right and same else Verdict.WRONG
    if text.casefold() == item.key.casefold():
        return Verdict.RIGHT
    chosen = mentioned(text, item.options) if rescue else _equal(text, item.options)
    if len(chosen) != 1:
        return Verdict.UNPARSED
    return Verdict.RIGHT if chosen == {item.answer} else Verdict.WRONG


def mentioned(text: str, options: Sequence[str]) -> set[int]:
    """Which options the text holds. One that stands inside a longer one found is not mentioned."""
    left = text.casefold()
    found = set()
    for index in sorted(range(len(options)), key=lambda i: -len(options[i])):
        option = re.escape(options[index].casefold().strip().rstrip("."))
        # Whole words: "know" doesn't mention "no".
        left, times = re.subn(rf"(?<!\w){option}(?!\w)", "\n", left) if option else (left, 0)
        if times:
            found.add(index)
    return found


def _equal(text: str, options: Sequence[str]) -> set[int]:
    return {i for i, option in enumerate(options) if option.casefold() == text.casefold()}
