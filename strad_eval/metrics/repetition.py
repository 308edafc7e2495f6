"""REP: the share of consecutive descriptions that say the same.

Source: StrAD, D.2.3: pairs with METEOR 1. METEOR's aligner uses its exact module alone on equal
sentences and no other module weighs 1, so that is: equal, non-empty tokens, and no Java is needed.
They are lower-cased and without punctuation (METEOR by itself lower-cases nothing), and compared
as METEOR's ``-norm`` has them: hyphenated words apart, abbreviations of letters without full stops.
"""

from __future__ import annotations

import re
from itertools import pairwise

from strad_eval.metrics.share import Share
from strad_eval.unit import Unit

_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_LETTERS = re.compile(r"(?:[^\W\d_]{1,2}\.){2,}(?=\s|$)")


def repetition(unit: Unit) -> Share:
    """Repeats over consecutive pairs, in time order, inside the unit."""
    said = [as_compared(event.tokens) for event in unit.predictions]
    repeats = sum(1 for before, after in pairwise(said) if before and before == after)
    return Share(repeats, max(0, len(said) - 1))


def as_compared(tokens: str) -> str:
    """Tokens in the form in which METEOR takes two sentences for the same."""
    joined = _LETTERS.sub(lambda letters: letters.group().replace(".", ""), tokens)
    return _HYPHEN.sub(" ", joined)
