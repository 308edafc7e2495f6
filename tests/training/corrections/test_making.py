"""Corrections of a rendered film, from the command line to examples that are read back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from strad.cues import Cue
from strad.decision import Describe, Wait
from strad.timeline import Interval
from strad.webvtt import write_webvtt
from tests.models.films import Film, film
from training.cli.main import main
from training.dataset import Dataset
from training.example import Kind

pytestmark = pytest.mark.media


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Film:
    return film(tmp_path_factory.mktemp("film"), 7, 84_000)


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["strad-train", "corrections", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def track(path: Path, cues: list[Cue]) -> Path:
    path.write_text(write_webvtt(sorted(cues, key=lambda cue: cue.when)))
    return path


def flagged(folder: Path, cue: Cue) -> Path:
    """What ``strad flags --export`` writes of one description that a viewer found wrong."""
    start, end = cue.when.start / 1000, cue.when.end / 1000
    event = {
        **{"start": start, "end": end, "id": "ad-1", "text": cue.text, "language": "en"},
        **{"kind": "action", "describer": "strad-ft", "draft": True, "late": False},
        **{"window_end": end, "lag_emit": 3.0},
        "flags": [{"kind": "wrong", "note": "", "by": "5f"}],
    }
    path = folder / "flags.jsonl"
    path.write_text(json.dumps(event) + "\n")
    return path


def account(folder: Path) -> list[dict[str, Any]]:
    (path,) = folder.glob("corrections-*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_change_becomes_an_example_and_its_origin_is_kept(
    shown: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three, four = shown.described[:4]
    made_up = Cue(Interval(three.when.end + 3_500, three.when.end + 5_500), "Nothing is there.")
    late = Cue(four.when.shift(2_000), four.text)
    told = track(tmp_path / "told.vtt", [one, Cue(two.when, "A man runs."), made_up, late])
    edited = track(tmp_path / "edited.vtt", [one, two, three, four])
    data = tmp_path / "data"
    given = ("--media", shown.media, "--captions", shown.captions, "-o", data)
    assert run(monkeypatch, told, edited, *given, "--flags", flagged(tmp_path, one)) == 0
    header, *lines = account(data)
    assert header["log"]["name"] == "told.vtt"
    assert header["media"] == shown.media.name
    assert {line["change"]: line["left_out"] for line in lines} == {
        "unchanged": "flagged, and not corrected",
        "edited": "",
        "added": "",
        "deleted": "",
        "moved": "",
    }
    found = {example.why: example for example in Dataset.open(data).split("train")}
    answers = {why: example.answer for why, example in found.items()}
    for why, cue in (("edited", two), ("added", three), ("moved", four)):
        answer = answers[why]
        assert isinstance(answer, Describe)
        assert (answer.forms, answer.when) == ((cue.text,), cue.when)
        assert found[why].window.frames
        assert cue.text not in [earlier.text for earlier in found[why].window.history]
    assert isinstance(answers["deleted"], Wait)
    assert found["deleted"].window.when.start <= made_up.when.start
    assert set(found) == {"edited", "added", "moved", "deleted"}


def test_they_are_added_to_a_data_set_and_once_only(
    shown: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = track(tmp_path / "told.vtt", shown.described)
    given = (told, told, "--media", shown.media, "--captions", shown.captions, "-o", tmp_path / "d")
    assert run(monkeypatch, *given, "--video-id", "one") == 0
    before = Dataset.open(tmp_path / "d")
    assert run(monkeypatch, *given, "--video-id", "two", "--split", "validation") == 0
    both = Dataset.open(tmp_path / "d")
    assert {example.why for example in both.split("validation")} == {"unchanged"}
    assert [e.answer for e in both.split("train")] == [e.answer for e in before.split("train")]
    assert both.about["counts"]["validation"]["kinds"][Kind.AD.value] == len(shown.described)
    assert len(both.about["corrections"]) == 2
    assert run(monkeypatch, *given, "--video-id", "two") == 2


def test_a_run_that_was_killed_is_made_up_for(
    shown: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once its account was written, and once its index was."""
    told = track(tmp_path / "told.vtt", shown.described)
    data = tmp_path / "d"
    given = (told, told, "--media", shown.media, "--captions", shown.captions, "-o", data)
    assert run(monkeypatch, *given, "--video-id", "one") == 0
    before = {name: (data / name).read_bytes() for name in ("dataset.json", "index.jsonl")}
    assert run(monkeypatch, *given, "--video-id", "two", "--licence", "CC0") == 0
    whole = Dataset.open(data)
    for name in ("index.jsonl", "dataset.json"):
        (data / name).write_bytes(before[name])
        (data / "dataset.json").write_bytes(before["dataset.json"])
        assert run(monkeypatch, *given, "--video-id", "two", "--licence", "CC0") == 0
        assert Dataset.open(data).digest == whole.digest
    assert [one["licence"] for one in whole.about["corrections"]] == ["", "CC0"]
    assert run(monkeypatch, *given, "--video-id", "two") == 2


def test_corrections_of_a_film_that_is_held_out_are_held_out(
    shown: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known by its file's id, or named."""
    told = track(tmp_path / "told.vtt", shown.described)
    data = tmp_path / "d"
    given = (told, told, "--media", shown.media, "--captions", shown.captions, "-o", data)
    assert run(monkeypatch, *given, "--film", "tt1", "--split", "validation") == 0
    index = data / "index.jsonl"
    index.write_text(index.read_text().replace("-unchanged-", "-ad-"))  # as prepare names them
    account = json.loads((data / "dataset.json").read_text())
    (data / "dataset.json").write_text(json.dumps({**account, "corrections": []}))
    assert run(monkeypatch, *given) == 0
    assert run(monkeypatch, *given, "--video-id", "other", "--film", "tt1") == 0
    entries = Dataset.open(data).entries
    assert len(entries) == 3 * len(shown.described)
    assert {(entry.film, entry.split) for entry in entries} == {("tt1", "validation")}
