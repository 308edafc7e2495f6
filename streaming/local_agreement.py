"""Local agreement: a word is final once two passes in a row heard it in the same place. Pure.

Macháček, Dabre, Bojar: Turning Whisper into Real-Time Transcription System (2023),
LocalAgreement-2.
Here each pass is made to continue the words that are final already, so the two hypotheses start
at the same word and what they share is simply their common beginning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from streaming.hypothesis import Guess

_NOT_LETTERS = re.compile(r"[\W_]+")


class LocalAgreement:
    """Compares each hypothesis with the one before it. Hypotheses hold only words not yet final."""

    def __init__(self) -> None:
        self._pending: tuple[str, ...] = ()

    def agree(self, hypothesis: Sequence[Guess], margin_end: int | None = None) -> int:
        """How many of the first words of ``hypothesis`` are final now.

        Only words that end by ``margin_end`` (in the hypothesis's own times) may become final:
        the last moments of unfinished sound are heard badly.
        """
        heard = tuple(spelling(guess.text) for guess in hypothesis)
        shared = common_beginning(self._pending, heard)
        if margin_end is not None:
            within = [guess.end <= margin_end for guess in hypothesis]
            shared = min(shared, [*within, False].index(False))
        self._pending = heard[shared:]
        return shared

    def forget(self) -> None:
        """Start anew: what was heard before has been decided in another way."""
        self._pending = ()


def common_beginning(first: Sequence[str], second: Sequence[str]) -> int:
    """How many items the two share from the start."""
    for index, (left, right) in enumerate(zip(first, second, strict=False)):
        if left != right:
            return index
    return min(len(first), len(second))


def spelling(text: str) -> str:
    """A word without case and punctuation: passes that differ only in these agree."""
    return _NOT_LETTERS.sub("", text.lower()) or text
