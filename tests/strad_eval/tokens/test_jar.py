"""The tokenizer jar, and how far the port agrees with it."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from strad.errors import WorkError
from strad_eval.java import find_jars
from strad_eval.tokens.jar import tokenize_all
from strad_eval.tokens.ptb import tokenize
from tests.strad_eval.tokens.test_ptb import SEEN
from tests.strad_eval.toy import needs_java

pytestmark = [pytest.mark.eval, pytest.mark.slow, needs_java]

ANNOTATIONS = Path(__file__).parents[4] / "shared/data/ad"


def test_the_jar_says_what_the_port_was_written_to() -> None:
    assert dict(zip(SEEN, tokenize_all(list(SEEN), find_jars()), strict=True)) == SEEN


def test_separators_inside_a_caption_shift_no_later_one() -> None:
    captions = ["He\u2028nods.", "She\rsmiles.", "", "They\n\nleave.", "A \U0001f600 face.", ""]
    want = ["he nods", "she smiles", "", "they leave", "a face", ""]
    assert tokenize_all(captions, find_jars()) == want


@pytest.mark.skipif(not ANNOTATIONS.is_dir(), reason=f"needs {ANNOTATIONS}")
def test_on_published_descriptions_the_port_differs_in_a_few_of_ten_thousand() -> None:
    texts: list[str] = []
    for name in ("cmdad_anno.csv", "tvad_anno.csv"):
        with (ANNOTATIONS / name).open(encoding="utf-8", newline="") as file:
            texts += [row["text"] for row in csv.DictReader(file)]
    theirs = tokenize_all(texts, find_jars())
    differing = [t for t, jar in zip(texts, theirs, strict=True) if tokenize(t) != jar]
    assert len(texts) > 10_000
    assert len(differing) <= 5, differing


def test_a_failing_jar_is_one_clear_line(tmp_path: Path) -> None:
    broken = replace(find_jars(), tokenizer=tmp_path / "none.jar")
    with pytest.raises(WorkError, match="the tokenizer jar failed"):
        tokenize_all(["a"], broken)
