"""docs/metrics.md names every reading and every figure; docs/formats.md's answers can be scored."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from strad_eval.catalogue import CATALOGUE, STYLE
from strad_eval.mcq.replies import REPLIES, RepliesHeader, Reply
from strad_eval.readings import PRESETS, Readings

pytestmark = pytest.mark.eval

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [field.name for field in fields(Readings)])
def test_every_reading_has_its_row(name: str) -> None:
    assert f"\n| `{name}` |" in PAGE


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_explained(name: str) -> None:
    assert f"`{name}`" in PAGE or f"--compat {name}" in PAGE


@pytest.mark.parametrize("title", [e.title for e in CATALOGUE.values() if e.group == STYLE])
def test_every_style_rule_has_its_row(title: str) -> None:
    assert f"\n| {title[0].lower()}{title[1:]} |" in PAGE


def test_the_example_of_answers_names_all_that_they_may_hold() -> None:
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    example = re.search(r"```jsonl replies\n(.*?)```", text, re.DOTALL)
    assert example
    header, replies = REPLIES.read(example[1].split("\n"))
    assert header is not None
    assert header.model_fields_set == set(RepliesHeader.model_fields)
    assert [reply.model_fields_set for reply in replies] == [set(Reply.model_fields)]
