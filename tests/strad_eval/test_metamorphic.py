"""What must not change a score, and which way other changes must move it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from strad_eval.metrics.share import Share
from strad_eval.readings import STRAD
from strad_eval.tally import Tally
from strad_eval.timed import pair_up, quality
from strad_eval.unit import Event, Unit
from tests.strad_eval.test_plain import random_units
from tests.strad_eval.toy import event

pytestmark = pytest.mark.eval

UNITS = random_units(4, 30, seed=3)
NAMES = ("recall", "precision", "cider", "rouge_l", "soda_d")


def _values(units: list[Unit]) -> dict[str, float]:
    tally = Tally(units, quality(pair_up(units, STRAD), STRAD))
    return {name: tally.value(name) for name in NAMES}


def _moved(events: tuple[Event, ...], by: float) -> tuple[Event, ...]:
    return tuple(replace(e, start=e.start + by, end=e.end + by) for e in events)


def test_shifting_everything_changes_nothing() -> None:
    shifted = [
        replace(u, references=_moved(u.references, 64.0), predictions=_moved(u.predictions, 64.0))
        for u in UNITS
    ]
    assert _values(shifted) == pytest.approx(_values(UNITS))


def test_the_order_of_videos_and_of_equal_times_changes_nothing() -> None:
    mixed = list(UNITS)
    random.Random(1).shuffle(mixed)
    assert _values(mixed) == pytest.approx(_values(UNITS))


def test_references_against_themselves_are_perfect_in_time() -> None:
    same = [replace(u, predictions=u.references) for u in UNITS]
    values = _values(same)
    assert values["recall"] == values["precision"] == 1.0
    assert values["soda_d"] == pytest.approx(1.0)
    assert values["rouge_l"] == pytest.approx(1.0)


def test_an_unmatched_prediction_costs_precision_and_quality_but_no_recall() -> None:
    more = [replace(u, predictions=(*u.predictions, event(900, 902, "A dog."))) for u in UNITS]
    before, after = _values(UNITS), _values(more)
    assert after["recall"] == before["recall"]
    for name in ("precision", "cider", "rouge_l", "soda_d"):
        assert after[name] < before[name]


def test_a_missing_video_scores_0_and_does_not_vanish() -> None:
    whole, without = _values(UNITS), _values([replace(UNITS[0], predictions=()), *UNITS[1:]])
    alone = _values(UNITS[1:])
    for name in NAMES:
        assert without[name] == pytest.approx(alone[name] * 3 / 4)
        assert without[name] < whole[name]


def test_ten_thousand_events_in_one_video() -> None:
    big = random_units(1, 10_000, seed=9)
    values = _values(big)
    assert 0 < values["soda_d"] < 1
    assert 0 < values["recall"] < 1


def test_a_mean_is_over_units_and_then_thresholds_leaving_out_what_is_not_defined() -> None:
    import numpy as np

    nan = float("nan")
    units = [replace(UNITS[n % 4], video=name) for n, name in enumerate("aab")]
    tally = Tally(units, {"x": np.array([[1.0, 0.0], [nan, nan], [0.5, 1.0]])})
    # Thresholds: (1 + 0.5)/2 = 0.75 and (0 + 1)/2 = 0.5; mean 0.625. Video a: 0.5. b: 0.75.
    assert tally.value("x") == 0.625
    assert tally.grouped("x", lambda unit: unit.video) == {"a": 0.5, "b": 0.75}
    assert tally.undefined("x") == 1
    tally.shares["s"] = [Share(1, 2), Share(0, 0), Share(3, 4)]
    assert tally.value("s") == pytest.approx(4 / 6)
    assert tally.undefined("s") == 1
