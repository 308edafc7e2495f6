"""Sample answers scored: silence, words and times, each by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.decision import Decision, Describe, Wait, WaitReason
from strad.timeline import Interval
from training.example import Kind
from training.sample_scores import Answered, scores

pytestmark = pytest.mark.unit

WAIT = Wait(WaitReason.MODEL_WAITS)


def said(text: str, start: int = 2_000, end: int = 4_000) -> Describe:
    return Describe((text,), Interval(start, end))


def answered(wanted: Decision, got: Decision, kind: Kind | None = None) -> Answered:
    known = Kind.AD if isinstance(wanted, Describe) else Kind.WAIT
    return Answered("k", kind or known, str(wanted), str(got), wanted, got)


def test_what_is_all_right_scores_best() -> None:
    texts = ("A woman opens the door.", "Two boys run along the beach.", "Rain falls on roofs.")
    right = [answered(said(text), said(text)) for text in texts]
    found = scores([*right, answered(WAIT, WAIT)])
    assert found["exact"] == found["wait_f1"] == found["recall"] == found["precision"] == 1.0
    assert found["rouge_l"] == pytest.approx(1.0)
    assert found["soda_d"] == pytest.approx(1.0)
    assert found["cider"] > 5


def test_another_windows_answer_is_no_hit() -> None:
    late = [answered(said("A dog barks."), WAIT), answered(WAIT, said("A dog barks."))]
    found = scores(late)
    assert found["recall"] == found["precision"] == found["wait_f1"] == 0.0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_wait_f1_is_that_of_counting(pairs: list[tuple[bool, bool]]) -> None:
    """Each pair: whether silence was wanted, and kept."""
    answers = [
        answered(WAIT if wanted else said("A."), WAIT if got else said("A."))
        for wanted, got in pairs
    ]
    kept = sum(wanted and got for wanted, got in pairs)
    wanted_all, got_all = sum(w for w, _ in pairs), sum(g for _, g in pairs)
    if not wanted_all + got_all:
        assert scores(answers)["wait_f1"] == 1.0
        return
    precision = kept / got_all if got_all else 0.0
    recall = kept / wanted_all if wanted_all else 0.0
    f1 = 2 * precision * recall / (precision + recall) if kept else 0.0
    assert scores(answers)["wait_f1"] == pytest.approx(f1)


def test_segments_are_scored_apart() -> None:
    texts = ("A woman opens the door.", "Two boys run along the beach.", "Rain falls on roofs.")
    found = scores([answered(said(text), said(text), Kind.SEGMENT) for text in texts])
    assert set(found) == {"exact", "segment_cider", "segment_rouge_l"}
    assert found["segment_cider"] > 5
    silent = scores([answered(said(text), WAIT, Kind.SEGMENT) for text in texts])
    assert silent["segment_cider"] == 0.0
