"""How long a window is of use: until nothing in it can be spoken in time any more. Pure."""

from __future__ import annotations

from strad.timeline import Ms
from streaming.config import Pace, Placement, StreamConfig
from streaming.placement import Limits

LIMITS = Limits()


def useful_for(config: StreamConfig) -> Ms | None:
    """So much media after a window's end; None: for ever, where nothing has to be in time.

    By then even what happens at the window's very end would start later after it than placement
    allows, for the viewers' playhead and its lead have passed.
    """
    if config.placement is Placement.OFF or config.pace is Pace.EVERY_WINDOW:
        return None
    lead = config.lead if config.delay else 0
    return max(0, LIMITS.max_late + config.delay - lead)
