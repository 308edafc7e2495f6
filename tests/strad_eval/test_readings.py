"""Readings: the presets, and every way to name a change."""

from __future__ import annotations

import pytest

from strad.errors import InputError
from strad_eval.readings import PRESETS, STRAD, as_dict, from_dict, readings

pytestmark = pytest.mark.eval


@pytest.mark.parametrize("compat", PRESETS)
def test_a_report_gives_back_the_readings_it_was_made_with(compat: str) -> None:
    assert from_dict(as_dict(PRESETS[compat])) == PRESETS[compat]


def test_changes_are_parsed_to_their_kind() -> None:
    changed = readings("strad", ("tious=0.3,0.5", "chunk-s=0", "seed=7", "idf = set"))
    assert changed.tious == (0.3, 0.5)
    assert (changed.chunk_s, changed.seed, changed.idf) == (0.0, 7, "set")
    assert STRAD.tious == (0.1, 0.3, 0.5)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("nonsense=1", "NAME from tious"),
        ("tious", "want NAME=VALUE"),
        ("idf=both", "choose from unit, set"),
        ("tious=0.5,x", "could not convert"),
        ("tious=1.5", "out of range"),
        ("chunk_s=nan", "out of range"),
        ("chunk_s=inf", "out of range"),
        ("chunk_s=-1", "out of range"),
        ("seed=1.5", "invalid literal"),
        ("seed=-1", "out of range"),
        ("most_predictions=-1", "out of range"),
        ("late_s=1e308", "out of range"),
        ("words_a_minute=0", "out of range"),
        ("stride_s=0", "out of range"),
        ("near_repeat=5", "out of range"),
        ("tious=0.5,0.5", "named twice"),
    ],
)
def test_what_is_no_reading_is_refused_by_name(change: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        readings("strad", (change,))


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(InputError, match="strad, krishna, vid2seq, soda"):
        readings("coco")


def test_the_papers_thresholds() -> None:
    assert PRESETS["krishna"].tious == (0.3, 0.5, 0.7, 0.9)
    assert PRESETS["krishna"].hit == "above"
    assert PRESETS["soda"].soda_tious == (0.0,)
