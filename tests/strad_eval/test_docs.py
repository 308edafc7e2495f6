"""docs/metrics.md names every reading and every figure."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from strad_eval.catalogue import CATALOGUE, STYLE
from strad_eval.readings import PRESETS, Readings

pytestmark = pytest.mark.eval

PAGE = (Path(__file__).parents[2] / "docs/metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [field.name for field in fields(Readings)])
def test_every_reading_has_its_row(name: str) -> None:
    assert f"\n| `{name}` |" in PAGE


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_explained(name: str) -> None:
    assert f"`{name}`" in PAGE or f"--compat {name}" in PAGE


@pytest.mark.parametrize("title", [e.title for e in CATALOGUE.values() if e.group == STYLE])
def test_every_style_rule_has_its_row(title: str) -> None:
    assert f"\n| {title[0].lower()}{title[1:]} |" in PAGE
