"""How far people agree with each other: Krippendorff's alpha for ratings on a scale.

Source: Krippendorff 2011, interval metric: 1 less the disagreement seen over the one expected. A
metric can hardly follow people better than they follow each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def alpha(items: Iterable[Sequence[float]]) -> float:
    """``items`` are the ratings that each thing got; things with one rating say nothing.

    NaN where nothing was rated twice, or every rating is the same.
    """
    rated = [ratings for ratings in items if len(ratings) > 1]
    values = [value for ratings in rated for value in ratings]
    if not values:
        return float("nan")
    seen = sum(_apart(ratings) / (len(ratings) - 1) for ratings in rated)
    expected = _apart(values) / (len(values) - 1)
    return 1.0 - seen / expected if expected else float("nan")


def _apart(values: Sequence[float]) -> float:
    """The sum of squared differences over ordered pairs."""
    total = sum(values)
    return 2.0 * (len(values) * sum(value * value for value in values) - total * total)
