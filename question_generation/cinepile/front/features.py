"""What of a sentence tells descriptions from dialogue: small words, forms of words, shape. Pure.

Names and most nouns go: a classifier that learns them knows films, not descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_TOKEN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[?!.,:;()\[\]]|[\u2669-\u266c]", re.IGNORECASE)
_ASIDE = re.compile(r"^[\[(\u2669-\u266c]")
_SPEAKER = re.compile(r"^(?:-\s|>>|[A-Za-z][A-Za-z .']{1,24}:\s)")
_TYPOGRAPHY = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_ADDRESS = frozenset(
    ("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "you", "your", "yours")
)
_THIRD = frozenset(("he", "she", "they", "it", "him", "her", "them", "his", "their", "its"))
_ENDINGS = ("ing", "ed", "ly", "s", "n't", "'s", "'re", "'ve", "'ll", "'d", "'m")
_LENGTHS = (2, 4, 8, 14)

_SMALL_WORDS = """
a an the this that these those and or but so because if when while as than then of to in on at
by for with from into onto over under up down out off through across behind beside above below
between around towards along past is are was were be been being am do does did have has had will
would can could should may might must shall not no never i me my we us our you your he him his
she her they them their it its who whom whose which what where why how there here now later
again all any some each every both one two three more most much many very just only too also
still yet yes okay oh well please let's don't it's that's i'm you're he's she's we're they're
"""
SMALL = frozenset(_SMALL_WORDS.split())
"""Words that stand for themselves; others stand for how they end."""


def tokens(text: str) -> list[str]:
    """Words and marks, in lower case but for the capitals of names inside the sentence."""
    return _TOKEN.findall(text.translate(_TYPOGRAPHY))


def features(text: str) -> list[str]:
    """Each once, in a settled order."""
    words = tokens(text)
    found = [*_shape(text, words), *_words(words)]
    return list(dict.fromkeys(found))


def _shape(text: str, words: Sequence[str]) -> Iterator[str]:
    if _ASIDE.search(text.strip()):
        yield "aside"
    if _SPEAKER.search(text.strip()):
        yield "speaker"
    yield f"length {sum(len(words) > most for most in _LENGTHS)}"
    low = {word.lower() for word in words}
    stems = {word.partition("'")[0] for word in low}
    yield "address" if stems & _ADDRESS else "no address"
    if stems & _THIRD and not stems & _ADDRESS:
        yield "third alone"
    if text[:1].islower():
        yield "starts low"


def _words(words: Sequence[str]) -> Iterator[str]:
    seen = [_form(word, first=at == 0) for at, word in enumerate(words)]
    low = [word.lower() for word in words]
    yield from (f"w {word}" for word in low)
    yield from (f"f {form}" for form in seen)
    if low:
        yield f"first {low[0]}"
        yield f"first form {seen[0]}"
        yield f"last {low[-1]}" if not low[-1].isalnum() else "last none"
    yield from (f"2 {a} {b}" for a, b in pairwise(low))
    yield from (f"ff {a} {b}" for a, b in pairwise(seen))


def _form(word: str, *, first: bool) -> str:
    """The word's class: itself where it is small, else its ending, a name, a number."""
    if not first and word[:1].isupper() and word.lower() not in SMALL:
        return "Name"
    low = word.lower()
    if low in SMALL or not low[0].isalnum():
        return low
    if low.isdigit():
        return "0"
    ending = next((end for end in _ENDINGS if low.endswith(end) and len(low) > len(end) + 1), "")
    return f"-{ending}"
