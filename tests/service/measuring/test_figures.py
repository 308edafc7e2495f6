"""The figures of a measurement, worked by hand."""

from __future__ import annotations

import pytest

from service.measuring import report
from service.measuring.figures import add_tokens, of_live, of_replay
from strad.decision import Decision, Wait, WaitReason
from strad_engines.messages import Generated
from streaming.announcement import Dropped, DropReason, WindowAsked
from tests.fakes import describe

pytestmark = pytest.mark.unit

AD = describe("a door opens", 5_000, 7_000)
WAIT = Wait(WaitReason.MODEL_WAITS)


def asked(cursor: int, wall: float, decision: Decision, *stages: tuple[str, float]) -> WindowAsked:
    return WindowAsked(cursor, 2_000, wall, decision, cursor, (("decide", wall), *stages))


def test_rtf_and_lag_are_of_ad_windows_and_load_is_of_all() -> None:
    found = of_replay(
        [
            asked(8_000, 1.0, AD, ("prompt", 0.1), ("decode", 0.8)),
            asked(10_000, 0.2, WAIT, ("prompt", 0.1)),
            asked(12_000, 3.0, describe("he sits", 8_000, 9_000), ("prompt", 0.3), ("decode", 2.6)),
            asked(14_000, 0.0, Wait(WaitReason.DESCRIBER_FAILED)),
        ],
        stride=2_000,
    )
    assert found.rtf == pytest.approx((1.0 / 2 + 3.0 / 2) / 2)
    assert found.lag == pytest.approx(((8 - 5) + (12 - 8)) / 2)
    assert found.load_replay == pytest.approx((1.0 + 0.2 + 3.0 + 0.0) / 4 / 2, abs=0.001)
    assert (found.windows, found.ad_windows, found.failed_windows) == (4, 2, 1)
    assert found.stages.of_answers == {"decide": 2.0, "prompt": 0.2, "decode": 1.7}


def test_tokens_a_second_are_those_after_the_first() -> None:
    found = of_replay([], stride=2_000)
    answers = [
        Generated("", prompt_tokens=1000, completion_tokens=31, stages=(("decode", 0.5),)),
        Generated("", prompt_tokens=900, completion_tokens=1, stages=(("decode", 0.0),)),
    ]
    add_tokens(found, answers)
    assert (found.prompt_tokens, found.answer_tokens) == (950, 16)
    assert found.tokens_per_second == 60


def test_what_came_too_late_is_counted_whether_dropped_or_said() -> None:
    dropped = [Dropped(0, DropReason.TOO_LATE, AD), Dropped(0, DropReason.NO_GAP, AD)]
    windows = [asked(8_000, 3.0, AD)]
    found = of_live(windows, [], dropped, stride=2_000, skipped=7)
    assert found["late_share"] == 0.5
    assert found["load"] == {"p50": 1.5, "p95": 1.5, "max": 1.5}
    assert (found["skipped"], found["events"], found["lag_emit"]) == (7, 0, None)


def test_where_nothing_was_measured_every_figure_is_blank() -> None:
    assert set(report.flat(None).values()) == {None}
    assert set(report.flat(None)) == set(report.MEANINGS)
    assert report.table(None).row_count == len(report.MEANINGS)


def test_a_figure_without_a_meaning_is_not_a_figure() -> None:
    """Stages that engines tell today all have one."""
    for stage in ("queue", "vision", "prefill", "decode", "first_token", "transfer", "engine"):
        assert f"stage.{stage}" in report.MEANINGS
