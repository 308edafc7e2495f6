"""The describer watch: an outage is told once, its end with what was missed."""

from __future__ import annotations

import pytest

from strad.decision import Decision, Wait, WaitReason
from strad.timeline import Interval, Ms
from streaming.announcement import DescriberState
from streaming.describer_watch import DOWN_AFTER, DescriberWatch
from streaming.effects import WindowClosed

pytestmark = pytest.mark.unit

FINE = Wait(WaitReason.MODEL_WAITS)
FAILED = Wait(WaitReason.DESCRIBER_FAILED)
NONSENSE = Wait(WaitReason.UNPARSABLE)


def told(
    *decisions: Decision, window: Ms = 8_000, slow: Ms = 0
) -> list[tuple[int, DescriberState]]:
    """One window every 2 s; which of them made the watch say something, and what."""
    watch = DescriberWatch(window)
    said = []
    for n, decision in enumerate(decisions, start=1):
        state = watch.take(WindowClosed(n, n * 2_000, 2_000, decision), "gone", n * 2_000 + slow)
        if state is not None:
            said.append((n, state))
    return said


def test_one_failure_is_no_outage() -> None:
    assert told(*[FINE, FAILED, FAILED] * 20) == []


def test_answers_that_are_no_good_are_no_outage() -> None:
    assert told(*[NONSENSE] * 20) == []


def test_an_outage_is_told_once_and_its_end_with_what_was_missed() -> None:
    said = told(FINE, *[FAILED] * 10, FINE, FINE)
    assert DOWN_AFTER == 3
    assert said == [
        # Windows 2 to 4 failed: nothing was looked at from the end of window 1 on.
        (4, DescriberState(up=False, at=8_000, why="gone", hole=Interval(2_000, 8_000))),
        # Window 12 ends at 24 s and shows 8 s.
        (12, DescriberState(up=True, at=24_000, why="", hole=Interval(2_000, 16_000))),
    ]


def test_a_short_outage_that_the_next_window_covers_has_no_hole() -> None:
    (_, down), (_, up) = told(FINE, FAILED, FAILED, FAILED, FINE)
    assert not down.up
    assert up.hole.duration == 0


def test_a_window_that_hung_for_long_is_an_outage_at_once() -> None:
    ((n, state),) = told(FINE, FAILED, slow=12_000)
    assert n == 2
    assert state.hole.start == 2_000


def test_every_outage_is_told_anew() -> None:
    outage = [FAILED] * 5
    assert [n for n, _ in told(*outage, FINE, FINE, *outage, FINE)] == [3, 6, 10, 13]
