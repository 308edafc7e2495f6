"""Near-repeats: descriptions that say almost what one of the last few said.

Not in StrAD, whose REP counts exact repeats of the one before only. CoherentAD measures redundancy
across consecutive descriptions too; its formula was not to be had, so this is not that figure.
"""

from __future__ import annotations

from collections import Counter

from strad_eval.metrics.rouge_l import rouge_l, score
from strad_eval.metrics.share import Share
from strad_eval.unit import Unit


def near_repeats(unit: Unit, alike: float, back: int) -> Share:
    """Those with a ROUGE-L of at least ``alike`` to one of the ``back`` before, of all but one."""
    said = [(event.tokens, Counter(event.tokens.split())) for event in unit.predictions]
    repeats = sum(
        1
        for at, new in enumerate(said)
        if new[0] and any(_alike(old, new, alike) for old in said[max(0, at - back) : at])
    )
    return Share(repeats, max(0, len(said) - 1))


_Said = tuple[str, Counter[str]]


def _alike(old: _Said, new: _Said, alike: float) -> bool:
    """Whether ROUGE-L reaches it, asked only where the words they share could."""
    shared = sum(min(count, old[1][word]) for word, count in new[1].items() if word in old[1])
    most = score(shared, old[1].total(), new[1].total())
    return most >= alike and rouge_l(old[0], new[0]) >= alike
