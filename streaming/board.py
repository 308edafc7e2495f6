"""The board: descriptions that were decided and wait for their time. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from strad.decision import Describe
from strad.timeline import Epoch, Ms
from streaming.announcement import DropReason
from streaming.placement import Hold, Offer, Placed, Refused, Verdict

MAX_WAITING = 4
"""Descriptions that may wait for a gap; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One description without a time."""

    question: int
    cursor: Ms
    """The end of the window it was decided on."""
    describe: Describe
    epoch: Epoch
    lengths: tuple[Ms, ...] | None = None
    """Spoken length of each form, once the voice has said."""


Judge: TypeAlias = Callable[[Offer], Verdict]
"""Says where an offer may go, given what is known now."""


class Board:
    """Holds descriptions from the answer until they are placed or dropped."""

    def __init__(self, waiting: Iterable[Waiting] = ()) -> None:
        self._waiting = list(waiting)

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """All that is on it, oldest first."""
        return tuple(self._waiting)

    @property
    def empty(self) -> bool:
        return not self._waiting

    @property
    def measured_all(self) -> bool:
        """Whether the spoken length of everything on it is known."""
        return all(w.lengths is not None for w in self._waiting)

    @property
    def ready(self) -> bool:
        """Whether any of them could be placed."""
        return any(w.lengths is not None for w in self._waiting)

    def add(self, waiting: Waiting) -> list[Waiting]:
        """Take one more; when there are too many, the oldest comes off it."""
        self._waiting.append(waiting)
        if len(self._waiting) <= MAX_WAITING:
            return []
        return [self._waiting.pop(0)]

    def measured(self, question: int, lengths: tuple[Ms, ...]) -> None:
        """Learn the spoken lengths; of a description already dropped they mean nothing."""
        self._waiting = [
            replace(w, lengths=lengths) if w.question == question else w for w in self._waiting
        ]

    def settle(self, judge: Judge, *, over: bool) -> Iterator[tuple[Waiting, Placed | DropReason]]:
        """Take off the board what is placed or refused by now; when it is over, everything.

        The judge is asked anew for each, so that one placement is seen by the next.
        """
        for waiting in list(self._waiting):
            if waiting.lengths is None:
                continue
            settled = _settled(judge(Offer(waiting.describe.when, waiting.lengths)), over=over)
            if settled is not None:
                self._waiting.remove(waiting)
                yield waiting, settled


def _settled(verdict: Verdict, *, over: bool) -> Placed | DropReason | None:
    match verdict:
        case Placed():
            return verdict
        case Refused(reason):
            return reason
        case Hold():
            return DropReason.NO_GAP if over else None
        case never:
            assert_never(never)
