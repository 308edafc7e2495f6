"""CRITIC with injected clusters, worked by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from strad_eval.metrics.critic import Mention, characters, critic, document

pytestmark = pytest.mark.eval

CAST = ["Ann", "Bob", "Cy"]


def _resolving(*clusters: str) -> object:
    """Coreference that knows which words go together: "Ann|she" is one cluster of all of them."""

    def resolve(text: str) -> Sequence[Sequence[Mention]]:
        return [[m.span() for m in re.finditer(rf"\b({words})\b", text)] for words in clusters]

    return resolve


def _characters(sentences: Sequence[str], *clusters: str) -> list[set[str]]:
    found = characters(CAST, sentences, _resolving(*clusters))  # type: ignore[arg-type]
    return [set(names) for names in found]


def test_the_cast_stands_before_the_sentences() -> None:
    text, starts = document(CAST, ["She runs.", "", "He sits."])
    assert text == "Ann, Bob and Cy. She runs.  He sits."
    assert [text[start : start + 4] for start in (starts[0], starts[2])] == ["She ", "He s"]
    assert document(["Ann"], ["x"])[0] == "Ann. x"
    assert document([], ["x"]) == (" x", [1])


def test_a_pronoun_counts_for_whom_its_cluster_names() -> None:
    found = _characters(["Ann runs.", "She falls.", "A dog barks."], "Ann|She", "Bob|He")
    assert found == [{"Ann"}, {"Ann"}, set()]


def test_a_cluster_of_two_names_or_none_is_nobody() -> None:
    assert _characters(["Ann meets Bob.", "She smiles."], "Ann|Bob|She") == [set(), set()]
    assert _characters(["The man runs.", "He falls."], "man|He") == [set(), set()]


def test_a_mention_across_two_sentences_is_in_neither() -> None:
    text, starts = document(["Ann"], ["One", "two."])
    assert text == "Ann. One two."

    def across(_: str) -> Sequence[Sequence[Mention]]:
        return [[(0, 3), (starts[0], starts[1] + 3), (starts[1], starts[1] + 3)]]

    assert characters(["Ann"], ["One", "two."], across) == [frozenset(), frozenset({"Ann"})]


def test_the_score_is_the_mean_iou_of_rows_whose_reference_has_characters() -> None:
    resolve = _resolving("Ann", "Bob", "Cy")
    references = ["Ann and Bob sit.", "Rain.", "Cy waves.", "Ann sleeps."]
    predicted = ["Ann sits.", "Ann and Cy.", "Cy and Bob.", ""]
    # IoU: {A} of {A, B} = 1/2; no characters: left out; {C} of {C, B} = 1/2; 0. Sum 1 over 3 rows.
    share = critic(CAST, references, predicted, resolve)  # type: ignore[arg-type]
    assert (share.part, share.whole) == (1.0, 3.0)
    perfect = critic(CAST, references, references, resolve)  # type: ignore[arg-type]
    assert perfect.value == 1.0
