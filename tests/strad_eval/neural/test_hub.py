"""The papers' own models, where a hub answers: by hand, ``pytest -m hub``."""

from __future__ import annotations

import pytest

from strad_engines.hub import hub_answers
from strad_eval.neural.bertscore import BertScore
from strad_eval.neural.checkpoint import load_checkpoint
from tests.strad_eval.neural.tiny import SENTENCES

pytest.importorskip("torch", reason="torch is not here: pip install 'strad[neural]'")
pytest.importorskip("faster_whisper", reason="what asks whether the hub is there is not here")

pytestmark = [pytest.mark.eval, pytest.mark.slow, pytest.mark.hub]


def test_roberta_large_equals_the_bert_score_package() -> None:
    if not hub_answers(5.0):
        pytest.skip("no model hub answers")
    scorer = pytest.importorskip("bert_score", reason="pip install bert-score to compare with it")
    theirs = scorer.BERTScorer(lang="en", device="cpu")
    ours = BertScore(load_checkpoint("roberta-large"))
    pairs = [(a, b) for a in SENTENCES for b in SENTENCES]
    expected = theirs.score([b for _, b in pairs], [a for a, _ in pairs])[2].tolist()
    assert ours.pairs(pairs) == pytest.approx(expected, abs=1e-4)
