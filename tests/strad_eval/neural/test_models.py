"""The neural metrics' wiring, on tiny models with random weights: no file is fetched."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from strad.errors import MissingModelError
from strad_eval.neural.bertscore import BertScore
from strad_eval.neural.checkpoint import load_checkpoint
from strad_eval.neural.sentence_embedder import SentenceEmbedder
from tests.strad_eval.neural import tiny

pytest.importorskip("torch", reason="torch is not here: pip install 'strad[neural]'")
pytest.importorskip("transformers", reason="transformers is not here: pip install 'strad[neural]'")

pytestmark = [
    pytest.mark.eval,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]

SENTENCES = tiny.SENTENCES


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.roberta(tmp_path_factory.mktemp("bert") / "tiny")


def test_a_sentence_is_most_like_itself(bert: Path) -> None:
    found = BertScore(load_checkpoint(str(bert))).matrix(SENTENCES, SENTENCES)
    assert np.diagonal(found) == pytest.approx(np.ones(len(SENTENCES)), abs=1e-6)
    assert (found <= 1 + 1e-6).all()
    assert found == pytest.approx(found.T, abs=1e-6)


def test_an_empty_sentence_is_like_nothing(bert: Path) -> None:
    found = BertScore(load_checkpoint(str(bert))).matrix(["", SENTENCES[0]], ["", SENTENCES[0]])
    assert found.round(6).tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_pairs_are_the_matrix_and_batches_change_nothing(bert: Path) -> None:
    model = BertScore(load_checkpoint(str(bert)), layer=1)
    pairs = [(a, b) for a in SENTENCES for b in SENTENCES] * 3
    matrix = model.matrix(SENTENCES, SENTENCES).T.ravel().tolist() * 3
    assert model.pairs(pairs) == pytest.approx(matrix, abs=1e-5)


def test_it_equals_the_bert_score_package(bert: Path) -> None:
    scorer = pytest.importorskip("bert_score", reason="pip install bert-score to compare with it")
    theirs = scorer.BERTScorer(model_type=str(bert), num_layers=2, device="cpu")
    ours = BertScore(load_checkpoint(str(bert)), layer=2)
    pairs = [(a, b) for a in SENTENCES for b in SENTENCES]
    expected = theirs.score([b for _, b in pairs], [a for a, _ in pairs])[2].tolist()
    assert ours.pairs(pairs) == pytest.approx(expected, abs=1e-5)


def test_the_hash_names_the_weights_not_the_files(bert: Path, tmp_path: Path) -> None:
    one, again = load_checkpoint(str(bert)), load_checkpoint(str(bert))
    other = load_checkpoint(str(tiny.roberta(tmp_path / "other", seed=1)))
    assert one.weights == again.weights
    assert one.weights != other.weights
    assert one.weights[:16] in BertScore(one).said


def test_sentences_become_unit_vectors_that_padding_does_not_change(tmp_path: Path) -> None:
    folder = str(tiny.decoder(tmp_path / "tiny"))
    together = SentenceEmbedder(load_checkpoint(folder)).embed(SENTENCES)
    alone = SentenceEmbedder(load_checkpoint(folder))
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(SENTENCES)))
    for vector, sentence in zip(together, SENTENCES, strict=True):
        assert alone.embed([sentence])[0] == pytest.approx(vector, abs=1e-5)
    mean = SentenceEmbedder(load_checkpoint(folder), "mean", task="").embed(SENTENCES)
    assert np.linalg.norm(mean, axis=1) == pytest.approx(np.ones(len(SENTENCES)))


def test_a_model_that_is_not_there_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError, match="can't be had"):
        load_checkpoint(str(tmp_path / "nothing"))
