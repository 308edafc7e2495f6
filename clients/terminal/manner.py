"""A manner of speaking: how fast, how loud, in which voice. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

SLOWEST, FASTEST = 80, 450
"""Words a minute."""

FASTER = 20
LOUDER = 10

SHORTEST = 0.6
"""Seconds that the shortest utterance takes, whatever it says."""


@dataclass(frozen=True, slots=True)
class Manner:
    """What the listener chose."""

    rate: int = 180
    """Words a minute."""
    volume: int = 100
    """0 to 100."""
    voice: str = ""
    """As the program calls it; empty: one of the text's own language."""

    def faster(self, steps: int = 1) -> Manner:
        """Or slower, with fewer than none."""
        return replace(self, rate=min(FASTEST, max(SLOWEST, self.rate + steps * FASTER)))

    def louder(self, steps: int = 1) -> Manner:
        """Or softer, with fewer than none."""
        return replace(self, volume=min(100, max(0, self.volume + steps * LOUDER)))

    def hurried(self, by: float) -> Manner:
        """``by`` times as fast, for one utterance."""
        return replace(self, rate=min(FASTEST, round(self.rate * by)))

    def seconds(self, text: str) -> float:
        """About how long it takes to say ``text``."""
        return max(SHORTEST, len(text.split()) * 60 / self.rate)
