"""What has been said: the cues that take time, and the texts that need no repeating. Pure.

Texts are remembered by player time, so that after a seek the listener is not told again what
they already heard about the same moments.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from strad.cues import Cue
from strad.decision import Describe
from strad.timeline import Epoch, Interval, Ms

REMEMBERED = 256
"""Texts kept at most."""

SAME_WORDS = 0.8
"""Share of common words above which two texts say the same."""

_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SaidText:
    """One text, and the moments of the player's time it is about."""

    player: Interval
    text: str
    language: str


class Said:
    """Everything said or decided on one stream, as far back as it matters."""

    def __init__(self, context: Ms, said: Iterable[SaidText] = ()) -> None:
        self._context = context
        self._said = deque(said, maxlen=REMEMBERED)

    @property
    def texts(self) -> tuple[SaidText, ...]:
        """All that is remembered."""
        return tuple(self._said)

    def add(self, describe: Describe, language: str, epoch: Epoch) -> None:
        """Remember that this was said, or is about to be."""
        player = to_player(describe.when, epoch)
        self._said.append(SaidText(player, describe.forms[-1], language))

    def unsay(self, forms: tuple[str, ...]) -> None:
        """It was dropped or withdrawn: the listener does not know it."""
        for said in reversed(self._said):
            if said.text == forms[-1]:
                self._said.remove(said)
                return

    def history(self, now: Ms, epoch: Epoch) -> tuple[Cue, ...]:
        """The cues of the context span before ``now``, on this epoch's stream time, in order."""
        cues = [
            Cue(_to_stream(s.player, epoch), s.text, s.language)
            for s in self._recent(now, epoch)
            if s.player.start <= epoch.player_time(now)
        ]
        return tuple(sorted(cues, key=lambda cue: cue.when))

    def repeats(self, describe: Describe, now: Ms, epoch: Epoch) -> bool:
        """Whether the listener was told this within the context span."""
        text = describe.forms[-1]
        return any(says_the_same(text, said.text) for said in self._recent(now, epoch))

    def _recent(self, now: Ms, epoch: Epoch) -> list[SaidText]:
        at = epoch.player_time(now)
        reach = round(self._context * max(epoch.rate, 1.0))
        return [s for s in self._said if abs(at - s.player.start) <= reach]


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts are the same but for a word or two. Numbers must agree exactly."""
    first, second = _tokens(one), _tokens(other)
    if first == second:
        return True
    if _numbers(first) != _numbers(second):
        return False
    return len(first & second) >= SAME_WORDS * len(first | second)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(text.casefold()))


def _numbers(tokens: frozenset[str]) -> frozenset[str]:
    return frozenset(token for token in tokens if any(c.isdigit() for c in token))


def to_player(when: Interval, epoch: Epoch) -> Interval:
    """The moments of the player's time that this stream time shows."""
    return Interval(epoch.player_time(when.start), epoch.player_time(when.end))


def _to_stream(player: Interval, epoch: Epoch) -> Interval:
    def back(t: Ms) -> Ms:
        return epoch.stream + round((t - epoch.player) / epoch.rate)

    return Interval(back(player.start), back(player.end))
