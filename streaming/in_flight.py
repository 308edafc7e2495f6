"""How many questions may be open at once: as set, or as many as help and the delay allows. Pure.

One more question in flight helps where answers take longer than the stride and the engine works on
several at once. It does not where an answer is too late to be spoken anyway, nor where the engine
takes them one after another: then each only waits for the others.
"""

from __future__ import annotations

from strad.timeline import Ms
from streaming.config import StreamConfig

MOST = 4
"""Never more than this by itself."""

HEARING: Ms = 1_000
"""Kept of the delay for hearing whether somebody speaks."""

LOOKS = 5
"""Answers that are measured before the number changes."""

GAIN = 1.2
"""One more must bring at least so many times the answers a second."""

FORGET = 300
"""Answers after which a number that did not help may be tried again."""


class InFlight:
    """Follows how long answers take; ``limit`` is how many questions may be open now."""

    def __init__(self, config: StreamConfig) -> None:
        self._stride = config.stride
        self._room = config.delay - config.lead - HEARING
        self._fixed = config.in_flight
        self.limit = 1 if config.in_flight is None else config.in_flight
        self._looks: list[Ms] = []
        self._rates: dict[int, float] = {}
        """Answers a second that each number brought."""
        self._since = 0

    def answered(self, took: Ms) -> None:
        """An answer has come, ``took`` after its question."""
        if self._fixed is not None:
            return
        self._looks.append(max(1, took))
        self._since += 1
        if len(self._looks) >= LOOKS + self.limit:
            self._choose(sorted(self._looks[self.limit :])[LOOKS // 2])
            self._looks.clear()

    def _choose(self, took: Ms) -> None:
        """With answers that take ``took`` at the present number."""
        if self._since > FORGET:
            self._rates.clear()
            self._since = 0
        now = self.limit
        late = took > self._room
        self._rates[now] = 0.0 if late and now > 1 else now * 1000 / took
        if now > 1 and (late or not self._helps(now) or took <= 0.8 * (now - 1) * self._stride):
            self.limit = now - 1
        elif took > now * self._stride and not late and self._may_grow():
            self.limit = now + 1

    def _may_grow(self) -> bool:
        return self.limit < MOST and self._helps(self.limit + 1)

    def _helps(self, number: int) -> bool:
        """Whether ``number`` brought more than one fewer did, as far as is known."""
        if number not in self._rates or number - 1 not in self._rates:
            return True
        return self._rates[number] >= GAIN * self._rates[number - 1]
