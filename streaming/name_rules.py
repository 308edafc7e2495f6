"""Per language: by which words a programme tells a name. Data, and nothing else. Pure.

A capital is no evidence: speech recognition writes them as it likes. What counts is how somebody is
introduced or spoken to, and each language does that in words of its own. A language that is not
here yields no names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NameRules:
    """One language's. All words are in lower case, without punctuation."""

    introductions: frozenset[tuple[str, ...]]
    """What is said right before one's own name: enough by itself."""
    showings: frozenset[tuple[str, ...]]
    """What is said right before somebody else's name, or a place's: half of it."""
    titles: frozenset[str]
    """What stands before a name and nothing else: enough by itself; it is part of the name."""
    roles: frozenset[str]
    """What a caption under a face says of the person, after a comma."""
    never: frozenset[str]
    """Words that stand alone before a comma, or after an introduction, and are no names."""


def _words(all_of_them: str) -> frozenset[str]:
    return frozenset(all_of_them.split())


def _phrases(*said: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in said)


RULES: Mapping[str, NameRules] = {
    "en": NameRules(
        introductions=_phrases("i'm", "i am", "my name is", "my name's", "call me", "name's"),
        showings=_phrases("this is", "meet", "that's", "he's called", "she's called"),
        titles=frozenset({"mr", "mrs", "ms", "miss", "dr", "doctor", "professor", "captain"}),
        roles=_words(
            """
            actor actress analyst architect artist astronaut author chef coach detective
            director doctor driver economist editor engineer farmer historian inspector
            journalist judge lawyer mayor minister musician neighbor neighbour nurse officer
            pilot player poet presenter president producer professor reporter researcher
            scientist senator sergeant singer soldier spokesman spokeswoman student teacher
            witness writer
            """
        ),
        never=_words(
            """
            ah alright and anyway baby boss boy boys brother but captain chief child children
            come dad daddy darling dear doctor everybody everyone excuse father finally first
            folks friend friends gentlemen girl girls god good goodbye great guys hello hell
            here hey hi honey however i i'd i'll i'm i've if indeed it jesus kid kids ladies
            lady listen look lord love ma'am madam man mate maybe men miss mom mommy mother mum
            never no nobody nope nothing now officer oh ok okay people perhaps please quick
            really right sadly seriously sergeant sir sister so somebody son sorry stop sure
            sweetheart sweetie tell thanks that the then there this today together tomorrow
            tonight true uh um wait welcome well what when where which who why wow yeah yes
            yesterday you african american arab asian australian british canadian catholic
            chinese christian dutch english european french german greek indian irish italian
            japanese jewish mexican muslim russian scottish spanish swedish turkish welsh monday
            tuesday wednesday thursday friday saturday sunday january february march april may
            june july august september october november december christmas
            """
        ),
    ),
}
