"""Failed: windows in which an answer was wanted and could not be had, of all that were asked.

Not in StrAD, which counts windows with a description only; a system that fails often must not look
fast. Unparsable answers are among them (the efficiency log's ``reason`` says which).
"""

from __future__ import annotations

from collections.abc import Sequence

from strad.efficiency import Outcome, WindowLog
from strad_eval.metrics.share import Share


def failed(windows: Sequence[WindowLog]) -> Share:
    """Failed windows over all."""
    return Share(sum(1 for w in windows if w.decision is Outcome.FAILED), len(windows))
