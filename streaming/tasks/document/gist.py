"""What a description tells once its wording is taken away: English only, by small tables. Pure.

Two descriptions with one gist say the same in other words: ``walks into the room`` and ``enters
the room``. Only what stands in the tables counts as the same; any other word of its own makes a
description another one. So what differs (left and right, a cup and a gun) is never taken for the
same, and a paraphrase by words that aren't here is not seen.
"""

from __future__ import annotations

import re

LANGUAGE = "en"

_DROPPED = frozenset(
    (
        *("the", "a", "an", "is", "are", "be", "being", "been", "and", "then", "now", "of", "some"),
        *("as", "while", "his", "her", "their", "its", "s"),
    )
)
"""Words that may come or go: who is meant is told by ids, not by ``his``."""
_GO = "(?:walk|come|go|goe|step|head|stroll)s?"
_PHRASES = [
    (re.compile(rf"\b{wording}\b", re.IGNORECASE), f" {word} ")
    for wording, word in {
        rf"{_GO} (?:in to|into|inside|in)": "enter",
        rf"{_GO} (?:out of|outside|out)": "leave",
        r"(?:sits? down(?: on| in)?|takes? a seat(?: on| in)?|sits?(?: on| in))": "sit",
        r"(?:stands? up|gets? up|gets? to (?:his|her|their) feet|rises?)": "rise",
        r"picks? up": "take",
        r"(?:puts?|sets?|lays?) down": "put",
        r"(?:looks?|stares?|gazes?|glances?) at": "watch",
        r"(?:takes?|pulls?) off": "remove",
        r"puts? on": "don",
        r"(?:in the direction of|towards?)": "to",
        r"next to": "beside",
    }.items()
]
_SAME = {
    word: words[0]
    for words in (
        line.split()
        for line in (
            "leave exit",
            "close shut",
            "begin start",
            "run rush race dash sprint hurry",
            "walk stroll",
            "take grab seize",
            "smile grin",
            "cry weep sob",
            "shout yell",
            "hug embrace",
            "big large huge",
            "small little tiny",
            "child kid",
            "man guy",
            "woman lady",
            "car automobile",
            "house home",
            "phone telephone cellphone",
            "photo photograph",
            "gun pistol",
        )
    )
    for word in words
}
_WORD = re.compile(r"\w+")


def gist(text: str, language: str) -> frozenset[str] | None:
    """The words that are left, each in one form; None for a language without tables."""
    if language.partition("-")[0].casefold() != LANGUAGE:
        return None
    for phrase, word in _PHRASES:
        text = phrase.sub(word, text)
    words = (word for word in _WORD.findall(text.casefold()) if word not in _DROPPED)
    return frozenset(_FORMS.get(_stem(word), _stem(word)) for word in words)


def _stem(word: str) -> str:
    """The word without its ending: crude, the same for all forms of most words."""
    if len(word) > 5 and word.endswith("ing"):
        return _plain(word[:-3])
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _plain(word[:-1])
    return _plain(word)


def _plain(word: str) -> str:
    """``runn`` is ``run``, and ``clos`` what is left of ``close``."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


_FORMS = {_stem(word): _stem(first) for word, first in _SAME.items()}
