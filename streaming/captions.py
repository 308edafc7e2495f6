"""Captions in place of listening: cues of a WebVTT or SRT file, or live, as final words. Pure.

A cue says when a line is shown, not when each word is said; its words share the cue's time by
their length. Sounds in brackets and notes of music are not speech; speaker marks are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.hearing import WordsKnown

# The bounds keep the work linear in the text, whoever wrote it.
_MARKUP = re.compile(r"<[^>]{0,300}>|\{\\[^}]{0,300}\}")
_SOUND = re.compile(r"\[[^\]]{0,300}\]|\([^)]{0,300}\)|\*[^*]{1,300}\*|[♪♫#]+[^♪♫#]*[♪♫#]+")
_NOTES = re.compile(r"[♪♫]+")
_SPEAKER = re.compile(
    r"""(?:^|(?<=\s))(?:
        >{2,3}\s*(?:[A-Z][\w.' -]{0,30}:\s)?   # >> or >> JOHN:
      | -\s*(?=\w)                             # a dash before each speaker's line
      | [A-Z][A-Z0-9.'-]*(?:\s[A-Z][A-Z0-9.'-]*){0,3}:\s   # JOHN: or MRS. DASHWOOD:
    )""",
    re.VERBOSE,
)
_WORD = re.compile(r"\S+")
_LETTER = re.compile(r"\w")

LONGEST: Ms = 600_000
"""No line is shown longer; a cue that claims it is has no true end, as some in live feeds."""

OPEN_ENDED: Ms = 30_000
"""How long a cue without a true end counts as speech, if its words need no longer."""

SLOWEST: Ms = 2_000
"""What one word of a cue without a true end may take."""


def spoken(text: str) -> str:
    """What of a cue's text is said aloud."""
    text = _MARKUP.sub("", text)
    text = _NOTES.sub(" ", _SOUND.sub(" ", text))
    text = _SPEAKER.sub(" ", text)
    return " ".join(word for word in _WORD.findall(text) if _LETTER.search(word))


def words_of(cue: Cue) -> tuple[Word, ...]:
    """The words of a cue, spread over its time by their length."""
    words = spoken(cue.text).split()
    length = _length(cue, len(words))
    total = sum(len(word) + 1 for word in words)
    made: list[Word] = []
    done = 0
    for word in words:
        start = cue.when.start + length * done // total
        done += len(word) + 1
        made.append(Word(Interval(start, cue.when.start + length * done // total), word))
    return tuple(made)


def _length(cue: Cue, words: int) -> Ms:
    claimed = cue.when.duration
    return claimed if claimed <= LONGEST else min(claimed, max(OPEN_ENDED, words * SLOWEST))


class Captions:
    """Live cues as they come, in order or nearly: words in order that do not overlap.

    A cue that overlaps the one before it (two speakers, or roll-up lines) keeps its words, moved
    behind it. One that repeats what the cue before has just said, as roll-up captions do, adds
    only what is new.
    """

    def __init__(self) -> None:
        self._until: Ms = 0
        self._last: list[str] = []

    def add(self, cue: Cue) -> WordsKnown:
        """The words this cue makes final. No later cue may start before it does."""
        words = words_of(cue)
        fresh = words[self._repeated([word.text for word in words], cue) :]
        self._last = [word.text for word in words]
        floor, placed = self._until, list[Word]()
        for word in fresh:
            start = max(word.when.start, floor)
            floor = max(word.when.end, start)
            placed.append(Word(Interval(start, floor), word.text))
        self._until = max(self._until, cue.when.start, floor)
        return WordsKnown(self._until, tuple(placed))

    def quiet_to(self, t: Ms) -> WordsKnown:
        """The sender says that no more cues start before ``t``."""
        self._until = max(self._until, t)
        return WordsKnown(self._until)

    def _repeated(self, words: list[str], cue: Cue) -> int:
        """How many of the first words the cue before ended with, when both are shown at once."""
        if cue.when.start > self._until:
            return 0
        longest = min(len(words), len(self._last))
        sizes = range(longest, 1, -1)
        return next((size for size in sizes if self._last[-size:] == words[:size]), 0)


def caption_facts(cues: Iterable[Cue], end: Ms | None = None) -> Iterator[WordsKnown]:
    """All the facts of a whole caption file, in order; ``end`` is where the media ends."""
    captions = Captions()
    for cue in sorted(cues, key=lambda cue: (cue.when.start, cue.when.end)):
        yield captions.add(cue)
    if end is not None:
        yield captions.quiet_to(end)
