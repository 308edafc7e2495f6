"""Whether what a model wrote as a description may be spoken, and if not, why. Pure.

Markup, an empty text, times and repeats are told in any language; refusals and meta-talk by lists.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise

from strad.decision import WaitReason
from streaming.prompt.phrases import META_TALK, REFUSALS

_MARKUP = re.compile(
    r"[<>{}|\\`*\[\]]|\b_\w+_\b|^\s*(?:#+|[-\u2022])\s|https?://|www\.|&#?\w{1,8};"
    r"|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]"
)
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
_WORD = re.compile(r"\w+")
STAMMER = 3
_SPOKEN = re.compile(r"[^\W_]")


def unfit(text: str, language: str) -> WaitReason | None:
    """Why ``text`` can't be spoken as a description; None when it can."""
    if not _SPOKEN.search(text):
        return WaitReason.EMPTY
    if _MARKUP.search(text):
        return WaitReason.MARKUP
    if refuses(text, language):
        return WaitReason.REFUSED
    _, meta_talk = _patterns(language)
    return WaitReason.META_TALK if meta_talk.search(_plain(text)) else None


def stammers(text: str) -> bool:
    """Whether the text repeats itself: two words in a row that come three times."""
    words = _WORD.findall(text.casefold())
    return max(Counter(pairwise(words)).values(), default=0) >= STAMMER


def refuses(text: str, language: str) -> bool:
    """Whether the model says that it won't, or can't."""
    refusals, _ = _patterns(language)
    return refusals.match(_plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(text.translate(_APOSTROPHES).casefold().split())


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """English besides the stream's own language: models fall back to it."""
    languages = {"en", language.split("-")[0].lower()}
    refusals, meta_talk = (
        "|".join(re.escape(p) for known in sorted(languages) for p in phrases.get(known, ()))
        for phrases in (REFUSALS, META_TALK)
    )
    return re.compile(rf"\W*(?:{refusals})\b"), re.compile(rf"\b(?:{meta_talk})\b")
