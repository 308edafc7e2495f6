"""ActionScore with injected embeddings and verbs, worked by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from strad_eval.metrics.action_score import VerbPhrase, action_score, of_row, parts, scaled

pytestmark = pytest.mark.eval


class Words:
    """Directions by the first word: the same word is alike 1, "trots" is 0.6 like "runs"."""

    axes: ClassVar = {"runs": (1.0, 0.0, 0.0), "trots": (0.6, 0.8, 0.0), "sits": (0.0, 0.0, 1.0)}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([self.axes.get(text.split()[-1], (0.0, 1.0, 0.0)) for text in texts])


class LastWord:
    """A parser to whom the last word of each part is its verb."""

    lemmas: ClassVar = {"runs": "run", "trots": "trot", "sits": "sit", "is": "be"}

    def phrases(self, sentence: str) -> Sequence[VerbPhrase]:
        found = parts(sentence)[1:]
        return [
            VerbPhrase(p, self.lemmas[p.split()[-1]]) for p in found if p.split()[-1] in self.lemmas
        ]


def test_a_sentence_has_itself_and_its_parts() -> None:
    assert parts("She runs, he sits; fin.") == [
        "She runs, he sits; fin.",
        "She runs",
        "he sits",
        "fin",
    ]


def test_the_same_action_scores_most() -> None:
    assert of_row(["he runs"], "she runs.", Words(), LastWord()) == pytest.approx(0.8 + 0.2)
    assert scaled(1.0) == 1.5


def test_an_alike_action_with_another_verb_gets_no_verb_share() -> None:
    # 0.8 * 0.6 + 0.2 * 0
    assert of_row(["he trots"], "she runs", Words(), LastWord()) == pytest.approx(0.48)


def test_to_be_is_no_action() -> None:
    # Whole sentence and part both lie on the other axis: likeness 1, but no verb.
    assert of_row(["he is"], "it is", Words(), LastWord()) == pytest.approx(0.8)


def test_rows_are_means_and_empty_descriptions_score_nothing() -> None:
    rows = [
        (["he runs", "he sits"], "she runs, she sits."),  # both found: 1 -> 1.5
        (["he runs", "he sits"], "she runs."),  # 1 and 0: 0.5 -> 0.5
        (["he runs"], "  "),  # 0, or left out
        ([], "she runs."),  # nothing to find: left out
    ]
    share = action_score(rows, Words(), LastWord())
    assert (share.part, share.whole) == (pytest.approx(2.0), 3)
    assert action_score(rows, Words(), LastWord(), skip_empty=True).value == pytest.approx(1.0)
    assert np.isnan(action_score([], Words(), LastWord()).value)
