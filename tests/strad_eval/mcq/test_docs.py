"""docs/metrics-questions.md names every reading."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from strad_eval.mcq.readings import McqReadings

pytestmark = pytest.mark.eval

PAGE = (Path(__file__).parents[3] / "docs/metrics-questions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [field.name for field in fields(McqReadings)])
def test_every_reading_has_its_row(name: str) -> None:
    assert f"\n| `{name}` |" in PAGE
