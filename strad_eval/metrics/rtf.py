"""RTF: how long a window that gave a description took, over how far the cursor moved for it.

Source: StrAD, D.2.4. WAIT windows and skipped speech do not count. Below 1 the system keeps up.
"""

from __future__ import annotations

from collections.abc import Iterable

from strad.efficiency import Outcome, WindowLog
from strad_eval.metrics.share import Share

LEAST_STEP_S = 0.001
"""Media time is whole milliseconds."""


def rtf(windows: Iterable[WindowLog], stride_s: float | None = None) -> Share:
    """The mean over windows with a description, over ``stride_s`` or each one's own advance.

    A window that moved the cursor by less than ``LEAST_STEP_S`` has no ratio and is left out.
    """
    ratios = [
        window.wall / step
        for window in windows
        if window.decision is Outcome.AD and (step := stride_s or window.advance) >= LEAST_STEP_S
    ]
    return Share(sum(ratios), len(ratios))
