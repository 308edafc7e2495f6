"""LAG: how far behind its own start a description comes, in seconds of media.

Source: StrAD, D.2.4: the mean of t - t_start over windows that gave a description.
"""

from __future__ import annotations

from collections.abc import Iterable

from strad.efficiency import WindowLog
from strad_eval.metrics.share import Share


def lag(windows: Iterable[WindowLog], *, emitted: bool = False) -> Share:
    """T is the cursor (the paper's), or with ``emitted`` the newest media at the announcement."""
    lags = []
    for window in windows:
        at = window.emitted_at if emitted else window.cursor
        if window.ad_start is not None and at is not None:
            lags.append(at - window.ad_start)
    return Share(sum(lags), len(lags))
