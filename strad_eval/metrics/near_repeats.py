"""Near-repeats: descriptions that say almost what one of the last few said.

Not in StrAD, whose REP counts exact repeats of the one before only. CoherentAD measures redundancy
across consecutive descriptions too; its formula was not to be had, so this is not that figure.
"""

from __future__ import annotations

from strad_eval.metrics.rouge_l import rouge_l
from strad_eval.metrics.share import Share
from strad_eval.unit import Unit


def near_repeats(unit: Unit, alike: float, back: int) -> Share:
    """Those with a ROUGE-L of at least ``alike`` to one of the ``back`` before, of all but one."""
    said = [event.tokens for event in unit.predictions]
    repeats = sum(
        1
        for at, tokens in enumerate(said)
        if tokens and any(rouge_l(old, tokens) >= alike for old in said[max(0, at - back) : at])
    )
    return Share(repeats, max(0, len(said) - 1))
