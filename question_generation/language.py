"""Whether a text is English, told by its letters and its smallest words."""

from __future__ import annotations

import re

_SHARE = 0.25
"""Of letters that are not Latin, from which on a text is not English: names may be foreign."""
_FEWEST = 5
"""Words; of fewer nothing is told but the letters."""
_SMALL_WORDS = """
the a an of to in is are was were and or he she it they his her their what who why how when where
which does do did that this with at on for by from as after before not has have be while during most
best into out up over him them happens likely scene character
"""
_SMALL_WORDS_ELSEWHERE = """
el la en de un es se los las una uno que qué por para del según está sus cómo cuál quién después
le les une des du est dans qui pourquoi avec pour sur pas ce cette elle ils sont quel quelle
der das und ist nicht ein eine einen mit von warum wer wie auf sich dem zu im sie er
il gli che perché della nel sono chi dopo
um uma não os como seu sua quem depois
het een niet wat wie waarom zijn naar
"""
"""Spanish, French, German, Italian, Portuguese, Dutch; none of them English."""
_ENGLISH = frozenset(_SMALL_WORDS.split())
_OTHERS = frozenset(_SMALL_WORDS_ELSEWHERE.split())
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")


def is_english(text: str) -> bool:
    """Whether it may be: a few words without any mark of another language pass."""
    letters = [mark for mark in text if mark.isalpha()]
    foreign = sum(ord(mark) > 0x24F for mark in letters)
    if foreign > _SHARE * len(letters):
        return False
    words = [word.lower() for word in _WORD.findall(text)]
    if len(words) < _FEWEST:
        return True
    english, others = (sum(word in known for word in words) for known in (_ENGLISH, _OTHERS))
    return others < 2 or english >= others
