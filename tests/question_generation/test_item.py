"""An item knows its answer's place, and becomes the Question that the judge scores."""

from __future__ import annotations

import pytest

from question_generation.item import ITEMS, Item, Rate
from question_generation.provenance import Made
from strad.questions import QUESTIONS

pytestmark = pytest.mark.unit

MADE = Made(
    stage="mcq 1", model="m", prompt="mcq.v1", prompt_sha256="0" * 64, seed=3, prompt_tokens=9
)


def item(**changed: object) -> Item:
    told = {"id": "q1", "video_id": "v", "question": "Who?", "answer": "B", "options": ("A", "B")}
    return Item.model_validate({**told, **changed})


def test_an_item_becomes_a_question_with_all_that_is_known() -> None:
    one = (
        item(category="Temporal", segment=(1.0, 2.5), visual_reliance=True, template="Frequency")
        .traced(MADE)
        .flagged("refined", "degenerate", "refined")
        .measured({"options only": Rate(model="m", right=1, asked=5, unanswered=2)})
    )
    question = one.question_of()
    assert question.answer_index == 1
    assert question.hard is None
    assert "hard" not in question.line()
    (again,) = QUESTIONS.read([question.line()])[1]
    assert again.provenance is not None
    assert again.provenance["steps"][0]["prompt"] == "mcq.v1"
    assert again.provenance["flags"] == ["degenerate", "refined"]
    assert again.provenance["rates"]["options only"]["unanswered"] == 2
    assert ITEMS.read([one.line()])[1] == [one]


def test_an_item_without_options_is_no_question_yet() -> None:
    with pytest.raises(ValueError, match="no options yet"):
        item(options=()).question_of()


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"options": ("B", "B")}, "two options are the same"),
        ({"answer": "C"}, "the answer is not among the options"),
        ({"question": " "}, "question"),
    ],
)
def test_what_can_be_no_item_is_refused(changed: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        item(**changed)
