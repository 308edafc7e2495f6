"""``strad describe --manifest``: many videos, resumed, bad ones among them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from service.cli.main import main
from strad.efficiency import EFFICIENCY
from strad.predictions import PREDICTIONS
from strad.run_lock import only_run
from tests.streaming.clips import clip, webm

pytestmark = pytest.mark.service

SCRIPT = """\
{"video_id": "any", "start": 0.5, "end": 1.5, "text": "A door opens."}
{"video_id": "any", "start": 4.0, "end": 5.5, "text": "A woman walks in."}
"""
TRANSCRIPT = [{"start": 2.0, "end": 3.9, "text": "Who is there?"}]


def video(name: str, **more: object) -> dict[str, object]:
    ad = [{"start": 0.5, "end": 1.5, "text": "A door opens."}]
    source = {"path": f"{name}.webm"}
    return {"id": name, "source": source, "duration": 8.0, "ad": ad, **more}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Three films of 8 s with transcripts, a broken one, one that is not there."""
    film = clip(webm(seconds=8.0, fps=10))
    for name in ("one", "two", "a.b: c"):
        (tmp_path / f"{name}.webm").write_bytes(film)
    (tmp_path / "broken.webm").write_bytes(film[:300])
    (tmp_path / "script.jsonl").write_text(SCRIPT)
    return tmp_path


def write(shelf: Path, *videos: dict[str, object]) -> Path:
    manifest = shelf / "bench.json"
    manifest.write_text(json.dumps({"version": 1, "name": "bench", "videos": videos}))
    return manifest


def whole(shelf: Path) -> Path:
    names = ("one", "two", "a.b: c")
    return write(shelf, *(video(name, transcript=TRANSCRIPT) for name in names))


class Commands:
    """Runs ``strad`` in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch = patch
        self._capsys = capsys

    def __call__(self, *words: object) -> tuple[int, str, str]:
        self._patch.setattr(sys, "argv", ["strad", *(str(word) for word in words)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capsys.readouterr()
        return int(ended.value.code or 0), out, err

    def describe(self, manifest: Path, out: Path, *more: object) -> tuple[int, str, str]:
        script = f"scripted:{manifest.parent / 'script.jsonl'}"
        options = ("--describer", script, "-o", out, *more)
        return self("describe", "--manifest", manifest, *options)


@pytest.fixture
def strad(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(monkeypatch, capsys)


def test_a_run_by_the_protocol_is_one_of_all_videos(shelf: Path, strad: Commands) -> None:
    out = shelf / "run"
    code, _, err = strad.describe(whole(shelf), out, "--protocol", "strad")
    assert code == 0, err
    assert "[3/3] a.b: c: 2 descriptions" in err
    header, found = PREDICTIONS.read((out / "predictions.jsonl").read_text().splitlines())
    assert header is not None
    assert header.protocol == "strad"
    assert [(p.video_id, p.start) for p in found] == [
        (name, start) for name in ("one", "two", "a.b: c") for start in (0.5, 4.0)
    ]
    _, logs = EFFICIENCY.read((out / "efficiency.jsonl").read_text().splitlines())
    assert {log.video_id for log in logs} == {"one", "two", "a.b: c"}


def test_what_is_finished_is_not_done_again_and_what_is_half_done_is(
    shelf: Path, strad: Commands
) -> None:
    manifest, out = whole(shelf), shelf / "run"
    assert strad.describe(manifest, out)[0] == 0
    first = {path.name: path.stat().st_mtime_ns for path in (out / "videos").iterdir()}
    (out / "videos" / "two.summary.json").unlink()  # as if it was stopped before its last file
    code, _, err = strad.describe(manifest, out)
    assert code == 0
    assert "[1/3] one: finished before" in err
    assert "[2/3] two: 2 descriptions" in err
    assert "3 of 3 videos described, 2 of them before" in err
    again = {path.name: path.stat().st_mtime_ns for path in (out / "videos").iterdir()}
    changed = {name for name in again if again[name] != first[name]}
    assert changed == {"two.jsonl", "two.efficiency.jsonl", "two.summary.json"}


def test_a_changed_transcript_or_file_is_described_anew(shelf: Path, strad: Commands) -> None:
    out = shelf / "run"
    assert strad.describe(whole(shelf), out)[0] == 0
    videos = [video(name, transcript=TRANSCRIPT) for name in ("one", "two", "a.b: c")]
    videos[0]["transcript"] = []
    (shelf / "two.webm").write_bytes(clip(webm(seconds=8.0, fps=5)))
    _, _, err = strad.describe(write(shelf, *videos), out)
    assert [line for line in err.splitlines() if "finished before" in line] == [
        "[3/3] a.b: c: finished before"
    ]


def test_one_bad_video_does_not_stop_the_rest(shelf: Path, strad: Commands) -> None:
    manifest = write(
        shelf,
        video("broken", transcript=[]),
        video("gone", transcript=[]),
        video("tube", source={"youtube_id": "abc"}, transcript=[]),
        video("two"),
        video("one", transcript=TRANSCRIPT),
    )
    out = shelf / "run"
    code, _, err = strad.describe(manifest, out, "--protocol", "strad")
    assert code == 1
    lines = err.splitlines()[-5:]
    assert lines[0].startswith("1 of 5 videos described: ")
    told = [line.removeprefix("failed: ").split(": ", 1) for line in lines[1:]]
    assert [name for name, _ in told] == ["broken", "gone", "tube", "two"]
    assert "no such file" in told[1][1]
    assert "--media" in told[2][1]
    assert "no verified transcript" in told[3][1]
    header, found = PREDICTIONS.read((out / "predictions.jsonl").read_text().splitlines())
    assert header is not None
    assert header.protocol is None  # a part of a benchmark has no score of it
    assert {p.video_id for p in found} == {"one"}
    whole_run = json.loads((out / "summary.json").read_text())
    assert whole_run["missing"] == ["broken", "gone", "tube", "two"]


def test_files_may_lie_elsewhere_by_their_id(shelf: Path, strad: Commands) -> None:
    media = shelf / "media"
    media.mkdir()
    (shelf / "one.webm").rename(media / "xyz.webm")
    manifest = write(shelf, video("v", source={"youtube_id": "xyz"}, transcript=[]))
    assert strad.describe(manifest, shelf / "run", "--media", media)[0] == 0


def test_a_folder_holds_one_run(shelf: Path, strad: Commands) -> None:
    manifest, out = whole(shelf), shelf / "run"
    assert strad.describe(manifest, out)[0] == 0
    code, _, err = strad.describe(manifest, out, "--protocol", "strad")
    assert code == 2
    assert "another protocol" in err
    assert strad.describe(manifest, out, "--protocol", "strad", "--overwrite")[0] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--protocol strad --placement fit", "means --placement off"),
        ("--protocol strad --pace live", "means --pace fast"),
        ("--protocol strad --gaps vad", "means --gaps transcript"),
        ("--protocol strad --asr base", "means --asr off"),
        ("--protocol strad --stride 4", "means --stride 2"),
        ("--protocol strad --delay 3", "goes without --delay"),
        ("--protocol strad --preset cpu", "--preset does nothing with scripted"),
        ("--captions x.vtt", "--captions is for one video"),
        ("--video-id x", "--video-id is for one video"),
        ("--efficiency x", "--efficiency is for one video"),
        ("film.mp4", "INPUT is for one video"),
    ],
)
def test_what_does_not_go_with_it_is_refused(
    words: str, told: str, shelf: Path, strad: Commands
) -> None:
    code, _, err = strad.describe(whole(shelf), shelf / "run", *words.split())
    assert code == 2
    assert told in err
    assert not (shelf / "run").exists()


def test_a_manifest_that_is_none_is_refused_with_its_line(shelf: Path, strad: Commands) -> None:
    manifest = shelf / "bench.json"
    manifest.write_text('{"version": 1,\n "name": "x",\n "videos": [{"id": 3}]}')
    code, _, err = strad.describe(manifest, shelf / "run")
    assert code == 2
    assert "bench.json:3: " in err


def test_gaps_by_a_transcript_that_nobody_has_are_refused_video_by_video(
    shelf: Path, strad: Commands
) -> None:
    manifest = write(shelf, video("one"), video("two", transcript=TRANSCRIPT))
    options = ("--gaps", "transcript", "--asr", "off")
    code, _, err = strad.describe(manifest, shelf / "run", *options)
    assert code == 1
    assert "failed: one: gaps by transcript need one" in err
    assert "[2/2] two: 2 descriptions" in err


def test_folders_that_can_not_be_used_are_refused_before_any_model_is_opened(
    shelf: Path, strad: Commands
) -> None:
    manifest, nobody = whole(shelf), ("--engine", "openai:http://127.0.0.1:1/v1", "--model", "m")
    words = ("describe", "--manifest", manifest, "--describer", "strad-zero", *nobody)
    for more, says in (
        (("-o", shelf / "one.webm"), "one.webm is a file"),
        (("-o", shelf / "one.webm" / "run"), "one.webm is a file"),
        (("-o", shelf / "run", "--media", shelf / "nowhere"), "there is no such folder"),
    ):
        code, _, err = strad(*words, *more)
        assert (code, err.count("\n")) == (2, 1), err
        assert says in err
    assert not (shelf / "run").exists()


def test_each_video_is_recorded_and_rerun_from_its_own_folder(shelf: Path, strad: Commands) -> None:
    """A run that goes on records what it describes anew, and deletes no recording."""
    manifest = write(shelf, *(video(name, transcript=TRANSCRIPT) for name in ("one", "a.b: c")))
    out, tapes = shelf / "run", shelf / "tapes"
    code, _, err = strad.describe(manifest, out, "--record", tapes)
    assert code == 0, err
    assert sorted(path.name for path in tapes.iterdir()) == ["a%2Eb%3A c", "one"]
    assert (tapes / "one").stat().st_mode & 0o777 == 0o700
    again = shelf / "again.jsonl"
    code, _, err = strad("rerun", tapes / "a%2Eb%3A c", "-o", again)
    assert code == 0, err
    assert again.read_text() == (out / "videos" / "a%2Eb%3A c.jsonl").read_text()
    (out / "videos" / "one.summary.json").unlink()
    assert strad.describe(manifest, out, "--record", tapes)[0] == 0
    assert sorted(path.name for path in tapes.iterdir()) == ["a%2Eb%3A c", "one", "one.2"]
    (shelf / "file").write_text("")
    code, _, err = strad.describe(manifest, shelf / "other", "--record", shelf / "file")
    assert code == 2
    assert "can't be used as a folder" in err


def test_two_runs_are_not_in_one_folder(shelf: Path, strad: Commands) -> None:
    manifest, out = whole(shelf), shelf / "run"
    out.mkdir()
    with only_run(out):
        code, _, err = strad.describe(manifest, out)
    assert code == 1
    assert "another run works in it" in err
    assert strad.describe(manifest, out)[0] == 0
