"""The pauses between speech, in seconds, as the metrics that listeners feel need them."""

from __future__ import annotations

from bisect import bisect_right

from strad_eval.unit import Span


def gaps_in(span: Span, speech: tuple[Span, ...], least: float) -> list[Span]:
    """The stretches of ``span`` of at least ``least`` seconds in which nobody speaks."""
    gaps: list[Span] = []
    at = span[0]
    for start, end in (*speech, (span[1], span[1])):
        until = min(start, span[1])
        if until - at >= least and until > at:
            gaps.append((at, until))
        at = max(at, end)
    return gaps


def silence_after(at: float, speech: tuple[Span, ...], end: float) -> float:
    """How many seconds from ``at`` on nobody speaks, ``end`` being the last moment there is.

    0 where somebody speaks already. ``speech`` is sorted and disjoint.
    """
    index = bisect_right(speech, (at, float("inf"))) - 1
    if index >= 0 and speech[index][1] > at:
        return 0.0
    following = speech[index + 1][0] if index + 1 < len(speech) else end
    return max(0.0, following - at)
