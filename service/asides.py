"""Asides: what the process that describes a stream knows of it beside its log. Kept nowhere.

Words, gaps and what was made out but not said would be ten times the log, and are worth nothing
later. They are held here for a while, for those who are watching now; whoever was away gets none.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from strad.decision import Describe, Kind
from strad.timeline import Interval, Ms
from strad.wire.viewing import Aside

MOST = 256
"""Asides that are held: who is further behind has missed the older ones."""

MOST_SEEN = 64
"""Descriptions that are remembered for who asks what is on screen."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the describer made out, whether or not it was said."""

    when: Interval
    kind: Kind
    text: str


class Asides:
    """One stream's. Told by its broadcast, read by its viewers in this process."""

    def __init__(self) -> None:
        self._held: deque[Aside] = deque(maxlen=MOST)
        self._grown = asyncio.Event()
        self.last = 0
        """How many there have been."""
        self.seen: deque[Seen] = deque(maxlen=MOST_SEEN)
        self.clock: Callable[[], Ms] = _nowhere
        """The live edge as the Session knows it."""
        self._edge: Ms = 0
        self.promised: Ms = 0
        """The live edge that another process may have told viewers of before this one went on."""
        self.epoch: Ms = 0
        """Where the newest seek or change of source was, in media time."""

    def tell(self, aside: Aside) -> None:
        """Tell whoever watches and wishes it."""
        self._held.append(aside)
        self.last += 1
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()

    async def after(self, place: int) -> Sequence[Aside]:
        """Those after the first ``place``, once there are any; the oldest may be gone by then."""
        while self.last <= place:
            await self._grown.wait()
        skip = max(0, len(self._held) - (self.last - place))
        return [self._held[i] for i in range(skip, len(self._held))]

    def edge(self) -> Ms:
        """The live edge; 0 where the stream is described elsewhere. It never steps back."""
        self._edge = max(self._edge, self.clock())
        return self._edge

    def make_out(self, describe: Describe) -> None:
        """Remember what the describer would say of its window."""
        self.seen.append(Seen(describe.when, describe.kind, describe.forms[-1]))


def _nowhere() -> Ms:
    return 0
