"""docs/metrics-segment.md names every reading and preset."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from strad_eval.segments.readings import PRESETS, SegmentReadings

pytestmark = pytest.mark.eval

PAGE = (Path(__file__).parents[3] / "docs/metrics-segment.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [field.name for field in fields(SegmentReadings)])
def test_every_reading_has_its_row(name: str) -> None:
    assert f"\n| `{name}` |" in PAGE


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_explained(name: str) -> None:
    assert f"`{name}`" in PAGE or f"--compat {name}" in PAGE
