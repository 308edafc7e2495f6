"""Decisions: a description has something to say, in at most three lengths."""

from __future__ import annotations

import pytest

from strad.decision import FAILURES, MAX_FORMS, Describe, Kind, Wait, WaitReason
from strad.timeline import Interval

pytestmark = pytest.mark.unit

WHEN = Interval(0, 1_000)


@pytest.mark.parametrize("count", range(1, MAX_FORMS + 1))
def test_one_to_three_forms_are_fine(count: int) -> None:
    described = Describe(("A boy plays.",) * count, WHEN)
    assert described.kind is Kind.ACTION
    assert described.odds is None


@pytest.mark.parametrize("forms", [(), ("a",) * (MAX_FORMS + 1), ("a", " "), ("",)])
def test_other_forms_are_refused(forms: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="one to 3 non-empty forms"):
        Describe(forms, WHEN)


def test_failures_are_reasons_to_wait_that_were_not_chosen() -> None:
    chosen = {
        WaitReason.NOTHING_NEW,
        WaitReason.UNSURE,
        WaitReason.MODEL_WAITS,
        WaitReason.REPEATED,
        WaitReason.NO_FRAMES,
    }
    assert set(WaitReason) - chosen == FAILURES
    assert Wait(WaitReason.UNSURE) == Wait(WaitReason("unsure"))
