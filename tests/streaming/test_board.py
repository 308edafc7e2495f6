"""The board: descriptions wait, are measured, and are settled one by one."""

from __future__ import annotations

import pytest

from strad.timeline import Epoch, Interval
from streaming.announcement import DropReason
from streaming.board import MAX_WAITING, Board, Waiting
from streaming.placement import Hold, Offer, Placed, Refused, Verdict
from tests.fakes import describe

pytestmark = pytest.mark.unit


def waiting(n: int) -> Waiting:
    return Waiting(n, 2_000 * n, describe(f"thing {n}", 0, 1_000), Epoch(0, 0))


def test_when_too_many_wait_the_oldest_is_dropped() -> None:
    board = Board()
    for n in range(MAX_WAITING):
        assert board.add(waiting(n)) == []
    (dropped,) = board.add(waiting(9))
    assert dropped.describe.forms == ("thing 0",)


def test_nothing_is_placed_before_its_length_is_known() -> None:
    board = Board()
    board.add(waiting(1))
    assert not board.ready
    assert list(board.settle(lambda _: Refused(DropReason.NO_GAP), over=True)) == []
    board.measured(1, (700,))
    assert board.ready
    assert board.measured_all


def test_each_is_settled_by_its_own_verdict() -> None:
    board = Board()
    verdicts: dict[int, Verdict] = {
        100: Placed(Interval(0, 100), 0, 1.0, provisional=False),
        200: Hold(),
        300: Refused(DropReason.TOO_LONG),
    }
    for n, length in enumerate(verdicts):
        board.add(waiting(n))
        board.measured(n, (length,))

    def judge(offer: Offer) -> Verdict:
        return verdicts[offer.lengths[0]]

    settled = [(w.question, outcome) for w, outcome in board.settle(judge, over=False)]
    assert settled == [(0, verdicts[100]), (2, DropReason.TOO_LONG)]
    assert [o for _, o in board.settle(judge, over=True)] == [DropReason.NO_GAP]
    assert board.empty
