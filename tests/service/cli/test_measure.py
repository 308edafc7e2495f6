"""``strad measure``: figures with their names over a server, blanks without a GPU."""

from __future__ import annotations

import itertools
import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from service.cli.main import main
from service.measuring.made_clip import words, write_clip
from tests.service.cli.unread import unread
from tests.service.model_server import MODEL, model_server

pytestmark = pytest.mark.service

LINES = (
    "AD <0.5> A man opens a red door. <1.9>",
    "WAIT",
    "AD <3.0> He looks around. <5.5>",
    "WAIT",
)


class Strad:
    """Runs the command in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch = patch
        self._capsys = capsys

    def __call__(self, *words: object) -> tuple[int, str, str]:
        self._patch.setattr(sys, "argv", ["strad", *(str(word) for word in words)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capsys.readouterr()
        return int(ended.value.code or 0), out, err


@pytest.fixture
def strad(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Strad:
    return Strad(monkeypatch, capsys)


def test_a_made_clip_is_measured_over_a_server(tmp_path: Path, strad: Strad) -> None:
    report = tmp_path / "figures.json"
    with model_server(LINES) as server:
        engine = (
            "--engine",
            f"openai:{server.url}",
            "--model",
            MODEL,
            "--profile",
            "qwen35-images",
        )
        code, out, err = strad("measure", *engine, "--seconds", 6, "--live", 4, "--json", report)
    assert code == 0, err
    document = json.loads(report.read_text())
    assert (document["model"], document["dummy"], document["complete"]) == (MODEL, False, True)
    figures = document["figures"]
    # The made clip is quiet for its first 6 s: windows end at 2, 4 and 6 s, the second waits.
    assert (figures["windows"], figures["ad_windows"]) == (3, 2)
    assert figures["lag"] == pytest.approx(((2 - 0.5) + (6 - 3.0)) / 2, abs=0.2)
    assert 0 < figures["rtf"] < 5
    assert figures["prompt_tokens"] == 7
    assert figures["stage.media_decode"] > 0
    assert figures["stage.vad_asr"] > 0
    assert figures["stage.prompt"] > 0
    assert figures["live.windows"] >= 1
    assert figures["live.load"]["p50"] > 0
    for name, value in figures.items():
        assert name in out
        assert value is None or isinstance(value, int | float | dict)


@pytest.mark.slow
def test_what_was_measured_before_the_server_refused_stands(tmp_path: Path, strad: Strad) -> None:
    report = tmp_path / "figures.json"
    with model_server((LINES[0], 403)) as server:
        engine = (
            "--engine",
            f"openai:{server.url}",
            "--model",
            MODEL,
            "--profile",
            "qwen35-images",
        )
        words = ("--seconds", 24, "--live", 0, "--json", report)
        code, _, err = strad("measure", *engine, *words)
    assert code == 1
    assert "403" in err.splitlines()[-1]
    document = json.loads(report.read_text())
    assert document["complete"] is False
    figures = document["figures"]
    assert (figures["ad_windows"], figures["failed_windows"]) == (1, 3)
    assert figures["live.load"] is None


def test_without_a_gpu_the_figures_are_blank(tmp_path: Path, strad: Strad) -> None:
    if find_spec("torch") is not None:
        pytest.skip("torch is here, and might see a GPU")
    report, other = tmp_path / "figures.json", tmp_path / "other.json"
    code, out, err = strad("measure", "--dummy", "qwen35-4b", "--gpu", "--json", report)
    assert code == 0
    assert "no GPU here" in err
    assert "rtf" in out
    assert set(json.loads(report.read_text())["figures"].values()) == {None}
    assert unread("measure", "--dummy", "qwen35-4b", "--gpu", "--json", str(other)) == 1
    assert other.read_text() == report.read_text(), "whoever reads the table, the file is kept"


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ("", 2, "needs --engine"),
        ("no-such.mp4 --engine openai:http://127.0.0.1:9/v1 --model m", 2, "no such file"),
        ("--manifest none.json --engine openai:http://127.0.0.1:9/v1 --model m", 2, "none.json"),
        ("--seconds 4 --engine openai:http://127.0.0.1:9/v1 --model phi4", 1, "127.0.0.1:9"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    options: str, code: int, told: str, strad: Strad
) -> None:
    got, out, err = strad("measure", "--seconds", 4, *options.split())
    assert (got, out) == (code, "")
    assert told in err.splitlines()[-1]
    assert "a clip is made" not in err, "said before any work"


def test_the_made_clip_has_a_transcript_of_what_would_be_said() -> None:
    said = words(24_000)
    assert all(word.when.start % 12_000 >= 6_000 for word in said)
    assert len(said) == 30
    assert all(a.when.end <= b.when.start for a, b in itertools.pairwise(said))


def test_the_made_clip_is_as_long_as_asked(tmp_path: Path) -> None:
    import av

    write_clip(tmp_path / "clip.mp4", 2_000)
    with av.open(str(tmp_path / "clip.mp4")) as container:
        assert container.duration == pytest.approx(2_000_000, abs=100_000)
        assert {stream.type for stream in container.streams} == {"video", "audio"}
