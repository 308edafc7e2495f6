"""What one pass of a speech model believes was said: words that may still change. Pure."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from strad.timeline import Ms

LOOP_RATIO = 2.4
"""Text that compresses better than this repeats itself (Whisper's own threshold)."""
PHRASE, WORD = 4, 6
"""So many times in a row a phrase, or a single word, is a loop and not emphasis."""
LONGEST_PHRASE = 8
CROWDED, CROWD = 40, 3
"""So many words (or more) at the end that last no longer than this (ms) each were not said."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A word as the model has it now; times are from the start of the sound of the pass."""

    start: Ms
    end: Ms
    text: str
    probability: float
    tokens: tuple[int, ...] = ()
    """The model's own spelling, to continue from."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What one pass heard."""

    guesses: tuple[Guess, ...]
    language: str
    language_sure: bool = True


def loops(text: str) -> bool:
    """Whether a phrase of ``text`` is said over and over, as a model does that has lost its way."""
    raw = text.encode()
    if len(raw) > 40 and len(raw) / len(zlib.compress(raw)) > LOOP_RATIO:
        return True
    words = text.lower().split()
    return any(_repeats(words, size) for size in range(1, LONGEST_PHRASE + 1))


def _repeats(words: list[str], size: int) -> bool:
    times = WORD if size == 1 else PHRASE
    run = 0
    for at in range(size, len(words)):
        run = run + 1 if words[at] == words[at - size] else 0
        if run >= size * (times - 1):
            return True
    return False


def without_crowd(guesses: tuple[Guess, ...]) -> tuple[Guess, ...]:
    """The same without words crammed into the end of the sound.

    A model that repeats itself after the last word finds no sound for it: alignment puts all
    those words at the very end, one time step each.
    """
    said = len(guesses)
    while said and guesses[said - 1].end - guesses[said - 1].start <= CROWDED:
        said -= 1
    return guesses if len(guesses) - said < CROWD else guesses[:said]
