"""``strad describe --record``, ``strad rerun`` and ``strad explain``: over a real made clip."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from service.cli.main import main
from tests.service.cli.unread import unread
from tests.streaming.clips import clip, webm

pytestmark = pytest.mark.service

SCRIPT = """\
{"video_id": "film", "start": 0.5, "end": 1.5, "text": "A door opens."}
{"video_id": "film", "start": 4.0, "end": 5.5, "text": "A woman walks in."}
{"video_id": "film", "start": 10.4, "end": 11.4, "text": "She takes off her long black coat."}
{"video_id": "film", "start": 17.0, "end": 17.9, "text": "A woman walks in."}
"""
CAPTIONS = (
    "WEBVTT\n\n00:02.000 --> 00:03.900\nI'm Anna Keller.\n\n00:07.000 --> 00:10.400\n"
    "So the whole town talked about it for years\n\n00:11.400 --> 00:19.900\n"
    "and nobody had ever seen the like of it before that night in the middle of the winter\n"
)


class Ended(NamedTuple):
    code: int
    out: str
    err: str


class Shelf(NamedTuple):
    """A film of 20 s, described and recorded."""

    folder: Path
    described: tuple[str, ...]

    def path(self, name: str) -> str:
        return str(self.folder / name)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "film.webm").write_bytes(clip(webm(seconds=20.0, fps=10)))
    (folder / "script.jsonl").write_text(SCRIPT)
    (folder / "captions.vtt").write_text(CAPTIONS)
    shelf = Shelf(folder, ())
    described = ("describe", shelf.path("film.webm"))
    described += ("--describer", f"scripted:{shelf.path('script.jsonl')}")
    described += ("--captions", shelf.path("captions.vtt"), "--gaps", "transcript")
    return Shelf(folder, described)


def strad(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> Ended:
    monkeypatch.setattr(sys, "argv", ["strad", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return Ended(ended.value.code, out, err)


@pytest.fixture
def recorded(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """Its recording, with pictures and sound; made once."""
    folder = shelf.folder / "film.run"
    if not folder.exists():
        outputs = ("-o", shelf.path("film.vtt"), "--efficiency", shelf.path("film.log.jsonl"))
        keep = ("--record", str(folder), "--record-what", "media")
        ended = strad(monkeypatch, capsys, *shelf.described, *outputs, *keep)
        assert ended.code == 0, ended.err
    return folder


def test_a_rerun_writes_the_same_bytes(
    shelf: Shelf,
    recorded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    again, log = tmp_path / "again.vtt", tmp_path / "again.jsonl"
    ended = strad(
        monkeypatch, capsys, "rerun", str(recorded), "-o", str(again), "--efficiency", str(log)
    )
    assert ended.code == 0, ended.err
    assert again.read_bytes() == (shelf.folder / "film.vtt").read_bytes()
    assert log.read_bytes() == (shelf.folder / "film.log.jsonl").read_bytes()
    assert b"A door opens." in again.read_bytes()


def test_predictions_are_the_same_bytes_too_with_nothing_kept_but_facts(
    shelf: Shelf,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    was, again, run = tmp_path / "was.jsonl", tmp_path / "again.jsonl", tmp_path / "run"
    keep = ("--record", str(run), "--record-what", "facts")
    assert strad(monkeypatch, capsys, *shelf.described, "-o", str(was), *keep).code == 0
    assert strad(monkeypatch, capsys, "rerun", str(run), "-o", str(again)).code == 0
    assert again.read_bytes() == was.read_bytes()
    assert {path.name for path in run.iterdir()} == {"recording.jsonl"}


def test_the_folder_is_its_owners_alone_and_new(
    shelf: Shelf,
    recorded: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert stat.S_IMODE(recorded.stat().st_mode) == 0o700
    ended = strad(monkeypatch, capsys, *shelf.described, "--record", str(recorded))
    assert ended.code == 2
    assert "is not empty" in ended.err


def test_other_settings_show_what_differs(
    recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = strad(monkeypatch, capsys, "rerun", str(recorded), "--placement", "off")
    assert ended.code == 0
    assert "+ 00:10.4-00:11.4  She takes off her long black coat." in ended.out
    assert "A door opens." in ended.out


@pytest.mark.parametrize("settings", [(), ("--placement", "off")], ids=["text", "difference"])
def test_a_reader_that_went_away_costs_no_log(
    recorded: Path, tmp_path: Path, settings: tuple[str, ...]
) -> None:
    log = tmp_path / "again.jsonl"
    words = ("rerun", str(recorded), "--efficiency", str(log), *settings)
    assert unread(*words) == 1
    assert log.stat().st_size


def test_a_changed_recording_is_told_of(
    recorded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (recorded / "recording.jsonl").read_text()
    (tmp_path / "recording.jsonl").write_text(
        text.replace('{"effect":"ad","id":"ad-1"', '{"effect":"ad","id":"ad-9"')
    )
    ended = strad(monkeypatch, capsys, "rerun", str(tmp_path))
    assert ended.code == 1
    assert "another AdEvent comes of it" in ended.err


@pytest.mark.parametrize(
    ("lines", "why"),
    [("", "is empty"), ('{"strad":"predictions"}\n', "is no recording"), ("x\n{}\n", "not JSON")],
)
def test_what_is_no_recording_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    lines: str,
    why: str,
) -> None:
    (tmp_path / "recording.jsonl").write_text(lines)
    ended = strad(monkeypatch, capsys, "rerun", str(tmp_path))
    assert ended.code == 2
    assert why in ended.err


@pytest.mark.parametrize("event", ["2", "ad-2", "4.6", "0:04.6"])
def test_a_placed_description_is_explained(
    recorded: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    event: str,
) -> None:
    ended = strad(monkeypatch, capsys, "explain", event, "--recording", str(recorded))
    assert ended.code == 0, ended.err
    assert ended.out.startswith("ad-2  A woman walks in.\nspoken      00:04")
    assert "why         At its moment it could not be said" in ended.out
    assert "decided by  scripted" in ended.out
    assert "known       Anna Keller (name, learned at 00:03" in ended.out
    assert "heard       I'm Anna Keller." in ended.out
    assert "form      * 1.6 s  A woman walks in." in ended.out
    assert "speech      ....ssss" in ended.out


def test_a_dropped_one_too(
    recorded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sheet, page = tmp_path / "sheet.png", tmp_path / "sheet.html"
    words = ("explain", "1", "--dropped", "--recording", str(recorded))
    ended = strad(monkeypatch, capsys, *words, "--sheet", str(sheet))
    assert ended.code == 0, ended.err
    assert ": no-gap  She takes off" in ended.out or ": too-long  She takes off" in ended.out
    assert sheet.read_bytes().startswith(b"\x89PNG")
    ended = strad(monkeypatch, capsys, *words, "--json", "--sheet", str(page))
    known = json.loads(ended.out)
    assert known["settled"]["dropped"] in ("no-gap", "too-long")
    assert page.read_text().count("<img") == len(known["frames"]) == 8


def test_what_is_not_in_it_cannot_be_explained(
    recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = strad(monkeypatch, capsys, "explain", "77", "--recording", str(recorded))
    assert ended.code == 2
    assert "holds no description '77'" in ended.err
