"""LLM-AD-Eval: what is asked, how answers are read, what failures cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.metrics.llm_ad_eval import SCALES, Scale, question, rate, read_rating
from strad_eval.prompts.prompt import prompt

pytestmark = pytest.mark.eval


@pytest.mark.parametrize(
    ("answer", "rating"),
    [
        ("{'score': 3}", 3.0),
        ('Sure! {"score": 4}', 4.0),
        ("{'score': '2'}", 2.0),
        ("{'score': 3.5}", 3.5),
        ("The score is 4.", 4.0),
        ("Score: 5/5", 5.0),
        ("**Score:** 2", 2.0),
        ("4", 4.0),
        ("3/5", 3.0),
        (" 0. ", 0.0),
        ("{'score': 7}", None),
        ("{'score': }", None),
        ("{'score': True}", None),
        ("score: -2", None),
        ("I would say it matches well.", None),
        ("Shot 3 of 5 shows a man", None),
        ("-1", None),
        ("", None),
        ("{" * 5000, None),
    ],
)
def test_a_rating_is_read_where_one_is_meant(answer: str, rating: float | None) -> None:
    assert read_rating(answer, "0-5") == rating


def test_zero_is_off_the_scale_from_one() -> None:
    assert read_rating("{'score': 0}", "1-5") is None


@given(st.text(max_size=60))
def test_any_answer_is_read_or_not_but_never_breaks(answer: str) -> None:
    rating = read_rating(answer, "0-5")
    assert rating is None or 0 <= rating <= 5


def test_failures_and_empty_rows_score_zero_and_are_counted() -> None:
    answers = ["{'score': 4}", "no idea", None, "{'score': 2}"]
    zero = rate(answers, "0-5")
    # (4 + 0 + 0 + 2) / 4; dropped: (4 + 0 + 2) / 3.
    assert (zero.share.value, zero.unreadable) == (1.5, 1)
    assert rate(answers, "0-5", drop_unreadable=True).share.value == 2.0


@pytest.mark.parametrize("scale", SCALES)
def test_a_prompt_asks_for_its_scale_and_keeps_texts_as_they_are(scale: Scale) -> None:
    name, low, high = SCALES[scale]
    told = prompt(name)
    asked = question(told, "Ann pays $5 & {runs}.", "$reference")
    assert "Correct description: Ann pays $5 & {runs}." in asked.user
    assert "Predicted description: $reference" in asked.user
    assert f"{low:g} " in asked.user
    assert f"{high:g} " in asked.user
    assert len(told.sha256) == 64
