"""A manifest that can't be described or scored whole is refused before anything is trained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from strad.errors import FormatError, InputError
from training.filmed import check_filmed
from training.skipped import Skips
from training.sources.manifests import manifest_materials

pytestmark = pytest.mark.unit


def video(name: str, end: float = 2.0) -> dict[str, object]:
    text = {"start": 1.0, "end": end, "text": "A dog runs."}
    return {"id": name, "source": {"path": f"{name}.mp4"}, "duration": 9, "ad": [text]}


def check(folder: Path, *videos: dict[str, object]) -> None:
    path = folder / "val.json"
    path.write_text(json.dumps({"version": 1, "name": "val", "videos": videos}))
    check_filmed(path, manifest_materials(path, None, Skips()))


def test_a_manifest_is_described_and_scored_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "one.mp4").touch()
    check(tmp_path, video("one"))
    with pytest.raises(InputError, match=r"no media of 2 of 3 videos \(two\): say where"):
        check(tmp_path, video("one"), video("two"), video("three"))
    with pytest.raises(InputError, match="has no video"):
        check(tmp_path)
    with pytest.raises(FormatError, match=r"val\.json"):
        check(tmp_path, video("one"), video("one", end=0.5))
