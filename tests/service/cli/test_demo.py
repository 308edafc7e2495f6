"""``strad demo FILE``: a film of one's own through the service, and what goes wrong with it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from service.cli.demo import told
from service.cli.main import main
from strad.webvtt import read_webvtt
from strad.wire.answering import Warning
from strad.wire.viewing import State, StreamState
from tests.streaming.clips import clip, webm

pytestmark = pytest.mark.service

SCRIPT = '{"video_id": "film", "start": 0.5, "end": 1.5, "text": "A door opens."}\n'


def demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["strad", "demo", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def test_a_film_is_streamed_and_its_descriptions_printed_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    film, script, out = tmp_path / "film.webm", tmp_path / "script.jsonl", tmp_path / "out"
    film.write_bytes(clip(webm(seconds=6.0, fps=10)))
    script.write_text(SCRIPT)
    words = [str(film), "--describer", f"scripted:{script}", "--asr", "off", "--out", str(out)]
    code, said, told = demo(monkeypatch, capsys, *words)
    assert code == 0, told
    assert "A door opens." in said
    assert "lag_emit" in told
    assert [cue.text for cue in read_webvtt((out / "film.ad.vtt").read_text())] == ["A door opens."]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("text.mp4", b"not a film\n" * 50, "text.mp4"),
        ("empty.mp4", b"", "empty"),
        ("none.mp4", None, "no such file"),
    ],
)
def test_what_is_no_film_is_one_line_and_leaves_no_track(
    name: str,
    content: bytes | None,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    film, out = tmp_path / name, tmp_path / "out"
    if content is not None:
        film.write_bytes(content)
    code, _, err = demo(monkeypatch, capsys, str(film), "--asr", "off", "--out", str(out))
    assert code == 2
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if line.startswith("strad: ")]
    assert len(lines) == 1
    assert told in lines[0]
    assert list(out.iterdir()) == []


def test_a_warning_that_the_publisher_shows_is_not_shown_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told(Warning(code="describer-down", at=2.0, message="it does not answer"))
    told(State(seq=1, state=StreamState.LIVE))
    assert capsys.readouterr().err == "the stream is live\n"


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs Linux's /proc")
def test_a_folder_that_takes_no_file_is_told_before_the_film_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = demo(monkeypatch, capsys, str(tmp_path / "film.webm"), "--out", "/proc/self")
    assert code == 2
    assert "film.ad.vtt: can't be written" in err
