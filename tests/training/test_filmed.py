"""A manifest that can't be described whole is refused; films are known by what is in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from strad.errors import FormatError, InputError
from training.filmed import check_filmed, films_sha256
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


def digest(folder: Path) -> str:
    return films_sha256(manifest_materials(folder.parent / "val.json", folder, Skips()))


def test_films_are_the_same_where_they_were_moved_and_others_where_their_bytes_differ(
    tmp_path: Path,
) -> None:
    videos = [video("one"), video("two")]
    (tmp_path / "val.json").write_text(json.dumps({"version": 1, "name": "v", "videos": videos}))
    films = {"cut": b"1 2", "moved": b"1 2", "other": b"1 3", "swapped": b"2 1"}
    for name, content in films.items():
        (tmp_path / name).mkdir()
        for film, part in zip(("one", "two"), content.split(), strict=True):
            (tmp_path / name / f"{film}.mkv").write_bytes(part)
    assert digest(tmp_path / "moved") == digest(tmp_path / "cut")
    assert len({digest(tmp_path / name) for name in films}) == 3
    materials = manifest_materials(tmp_path / "val.json", tmp_path / "cut", Skips())
    (tmp_path / "cut" / "two.mkv").unlink()
    with pytest.raises(InputError, match=r"two\.mkv: can't be read: no such file"):
        films_sha256(materials)
