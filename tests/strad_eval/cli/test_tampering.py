"""Bundles that somebody has been at: ``verify`` says so, and nothing leaves its folder."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from strad_eval import archive
from tests.strad_eval.cli.running import run

pytestmark = pytest.mark.eval

VIDEO = {
    "id": "v1",
    "duration": 60,
    "ad": [
        {"start": 1, "end": 3.5, "text": "A man walks into the room."},
        {"start": 10, "end": 12, "text": "She opens the window."},
    ],
}
SAID = [
    '{"strad": "predictions", "version": 1, "describer": "toy"}',
    '{"video_id": "v1", "start": 1, "end": 3, "text": "A man enters."}',
    '{"video_id": "v1", "start": 11, "end": 14, "text": "She opens the window."}',
]
WINDOW = '{"video_id":"v1","cursor":5,"advance":2,"wall":1,"decision":"ad","ad_start":2}'
Members = dict[str, bytes]


@pytest.fixture(autouse=True)
def _no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a machine without Java: these tests are of the rest."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("JAVA_HOME", raising=False)


@pytest.fixture
def refs(tmp_path: Path) -> Path:
    path = tmp_path / "refs.json"
    path.write_text(json.dumps({"version": 1, "name": "toy", "videos": [VIDEO]}))
    return path


@pytest.fixture
def bundle(refs: Path, tmp_path: Path) -> Path:
    preds, log, out = tmp_path / "p.jsonl", tmp_path / "e.jsonl", tmp_path / "b.zip"
    preds.write_text("\n".join(SAID))
    log.write_text(WINDOW)
    assert run("bundle", refs, preds, out, "--efficiency", log, "--hardware", "1 A100") == 0
    assert run("verify", out, "--refs", refs) == 0
    return out


def _changed(bundle: Path, change: Callable[[Members], Members]) -> Path:
    with zipfile.ZipFile(bundle) as old:
        members = {name: old.read(name) for name in old.namelist()}
    forged = bundle.with_name("forged.zip")
    with zipfile.ZipFile(forged, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in change(members).items():
            new.writestr(name, data)
    return forged


def _report(change: Callable[[dict[str, Any]], object]) -> Callable[[Members], Members]:
    def forge(members: Members) -> Members:
        report = json.loads(members["report.json"])
        change(report)
        return {**members, "report.json": json.dumps(report).encode()}

    return forge


def _swapped(name: str, old: bytes, new: bytes) -> Callable[[Members], Members]:
    return lambda members: {**members, name: members[name].replace(old, new)}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (_report(lambda r: r["figures"].pop("rep")), "rep is left out"),
        (_report(lambda r: r["figures"].update(magic={"value": 9})), "magic can't be scored here"),
        (_report(lambda r: r["figures"]["cider"].update(value=None)), "cider is "),
        (
            _report(lambda r: r["figures"]["recall"]["by_video"].update(v1=0.99)),
            "recall differs in its parts",
        ),
        (_report(lambda r: r["units"][0]["means"].update(recall=[1, 1, 1])), "other units"),
        (_report(lambda r: r.update(describer="better")), "other describer"),
        (_report(lambda r: r.update(doubts={})), "other doubts"),
        (_report(lambda r: r["inputs"].pop("efficiency")), "efficiency not in it"),
        (_report(lambda r: r["inputs"]["references"].update(sha256="0")), "other references"),
        (_swapped("predictions.jsonl", b"A man", b"A cat"), "other predictions"),
        (_swapped("predictions.jsonl", b"\n", b"\n\n"), "other predictions"),
        (_swapped("efficiency.jsonl", b'"wall":1', b'"wall":0'), "other efficiency"),
        (
            lambda m: {k: v for k, v in m.items() if k != "efficiency.jsonl"},
            "efficiency in the report only",
        ),
    ],
)
def test_a_bundle_that_was_changed_is_untrue(
    bundle: Path,
    refs: Path,
    change: Callable[[Members], Members],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    assert run("verify", _changed(bundle, change), "--refs", refs) == 1
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_what_is_in_it_twice_is_refused(
    bundle: Path, refs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = _changed(bundle, lambda members: {**members, "predictions.json": b"{}"})
    assert run("verify", forged, "--refs", refs) == 2
    assert "two files of predictions" in capsys.readouterr().err


def test_no_name_in_it_becomes_a_path(bundle: Path, refs: Path, tmp_path: Path) -> None:
    outside = tmp_path / "slipped.json"
    names = ("../" * 20 + str(outside)[1:], str(outside), "predictions/../../x.jsonl")
    forged = _changed(bundle, lambda members: {**members, **dict.fromkeys(names, b"x")})
    assert run("verify", forged, "--refs", refs) == 0
    assert not outside.exists()


def test_a_link_in_it_is_read_as_what_it_holds(
    bundle: Path, refs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = _changed(bundle, lambda m: {k: v for k, v in m.items() if k != "predictions.jsonl"})
    link = zipfile.ZipInfo("predictions.jsonl")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(forged, "a") as file:
        file.writestr(link, str(refs))
    assert run("verify", forged, "--refs", refs) == 2
    assert "predictions.jsonl:1: not JSON" in capsys.readouterr().err


def test_what_unpacks_to_too_much_is_refused(
    bundle: Path, refs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(archive, "LARGEST", 1 << 20)
    # Each below the limit, both together above it.
    bomb = _changed(
        bundle, lambda m: {**m, "efficiency.jsonl": b"\n" * 700_000, "report.json": b" " * 700_000}
    )
    assert run("verify", bomb, "--refs", refs) == 2
    assert "too large" in capsys.readouterr().err


def test_broken_archives_end_in_one_line(
    bundle: Path, refs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, draw = bundle.read_bytes(), random.Random(1)
    broken = bundle.with_name("broken.zip")
    for number in range(60):
        changed = bytearray(data)
        for _ in range(draw.randint(1, 6)):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        broken.write_bytes(changed[: draw.randrange(len(data))] if number % 5 == 0 else changed)
        assert run("verify", broken, "--refs", refs) in (0, 1, 2)
        assert capsys.readouterr().err.count("\n") <= 1


def test_cue_files_are_no_references_to_pack(
    refs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cues = tmp_path / "film.vtt"
    cues.write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nA man.\n")
    assert run("bundle", cues, cues, tmp_path / "x.zip", "--with-refs") == 2
    assert "convert it to a manifest first" in capsys.readouterr().err
