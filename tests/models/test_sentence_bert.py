"""A BERT learns to tell descriptions from dialogue, from the command to what it says of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast
from typer.testing import CliRunner

from question_generation.cinepile.front.bert import read_bert
from question_generation.cinepile.front.classifier import kinds
from question_generation.cinepile.front.corpus import own_corpus
from question_generation.cinepile.front.labelled import LABELLED
from question_generation.cinepile.front.measured import measured
from question_generation.cli.main import application
from strad.errors import InputError

pytestmark = [pytest.mark.models, pytest.mark.slow]
WIDTH = 32
SHOWN = 4
"""One in so many of our sentences is learned: it is the way that is tried."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of random weights, with pieces of words out of our own sentences."""
    folder = tmp_path_factory.mktemp("base")
    pieces = BertWordPieceTokenizer(lowercase=True)
    pieces.train_from_iterator([one.text for one in own_corpus()], vocab_size=800)
    pieces.save(str(folder / "tokenizer.json"))
    words = BertTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=WIDTH,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=2 * WIDTH,
    )
    BertForMaskedLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def test_a_bert_is_trained_measured_and_used(tmp_path: Path, base: Path) -> None:
    out, told = tmp_path / "bert", own_corpus()[::SHOWN]
    (tmp_path / "s.jsonl").write_text(LABELLED.write(told))
    how = ("--base", base, "--epochs", "8", "--batch", "16", "--rate", "0.01")
    words = ("train-classifier", out, tmp_path / "s.jsonl", *how)
    done = CliRunner().invoke(application(), [str(word) for word in words])
    assert done.exit_code == 0, done.exception
    assert "held out 34: macro-F1 0." in done.stdout
    trained = read_bert(out)
    found = measured([one.kind for one in told], kinds([one.text for one in told], trained))
    assert found.macro_f1 > 0.9, found
    (tmp_path / "a.txt").write_text("She opens the door and smiles.\nWhat do you want from me?\n")
    said = CliRunner().invoke(
        application(), ["classify", str(tmp_path / "a.txt"), "--model", str(out)]
    )
    assert [json.loads(line)["kind"] for line in said.stdout.splitlines()] == ["visual", "dialogue"]


def test_a_folder_of_other_classes_is_refused(tmp_path: Path, base: Path) -> None:
    with pytest.raises(InputError, match="its classes are not dialogue and visual"):
        read_bert(base)
    with pytest.raises(InputError, match="no model in it"):
        read_bert(tmp_path)
