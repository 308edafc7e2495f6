"""``strad describe --describer strad-ft`` over HTTP: right lines at right times, or one error."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from service.cli.main import main
from strad.predictions import PREDICTIONS
from strad_eval.cli.main import main as strad_eval
from tests.service.model_server import MODEL, model_server
from tests.streaming.clips import clip, webm

pytestmark = pytest.mark.service

LINES = (
    "AD <0.5> A man opens a red door. <1.9>",
    "WAIT",
    "AD <3.0> He looks around the hall. <5.5>",
    "nonsense",
    "WAIT",
)
IMAGES = ("--profile", "qwen35-images")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of 10 s, a manifest of two of them, and model files."""
    folder = tmp_path_factory.mktemp("films")
    (folder / "film.webm").write_bytes(clip(webm(seconds=10.0, fps=10)))
    ad = [{"start": 0.5, "end": 1.9, "text": "A man opens a red door."}]
    source = {"path": "film.webm"}
    videos = [
        {"id": name, "source": source, "duration": 10.0, "ad": ad, "transcript": []}
        for name in ("a", "b")
    ]
    bench = {"version": 1, "name": "bench", "videos": videos}
    (folder / "bench.json").write_text(json.dumps(bench))
    card = {"strad": "model", "version": 1, "profile": "qwen35-images", "release": True}
    (folder / "card.json").write_text(json.dumps(card))
    (folder / "video.json").write_text(json.dumps({**card, "profile": "qwen35-video"}))
    (folder / "broken.json").write_text('{"strad": "model",\n "version": 1}')
    return folder


class Commands:
    """Runs ``strad`` and ``strad-eval`` in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch = patch
        self._capsys = capsys

    def __call__(self, *words: object, command: object = main) -> tuple[int, str, str]:
        self._patch.setattr(sys, "argv", ["strad", *(str(word) for word in words)])
        with pytest.raises(SystemExit) as ended:
            command()  # type: ignore[operator]
        out, err = self._capsys.readouterr()
        return int(ended.value.code or 0), out, err


@pytest.fixture
def strad(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    monkeypatch.setenv("STRAD_ENGINE_KEY", "sesame-open")
    return Commands(monkeypatch, capsys)


def film(shelf: Path, url: str, *more: object) -> list[object]:
    engine = ("--describer", "strad-ft", "--engine", f"openai:{url}", "--asr", "off")
    return ["describe", shelf / "film.webm", *engine, *more]


def test_the_models_lines_come_at_the_media_times_they_mean(shelf: Path, strad: Commands) -> None:
    with model_server(LINES) as server:
        words = film(shelf, server.url, "--model", MODEL, *IMAGES, "--format", "jsonl")
        code, out, err = strad(*words)
    assert code == 0, err
    header, found = PREDICTIONS.read(out.splitlines())
    assert header is not None
    assert header.describer == f"strad-ft:{MODEL}"
    assert header.draft
    assert [p.text for p in found] == ["A man opens a red door.", "He looks around the hall."]
    # Windows end at 2, 4, 6 ... s. The third shows the pictures from 0 s on.
    assert [p.start for p in found] == [pytest.approx(0.5, abs=0.1), pytest.approx(3.0, abs=0.3)]
    asked = [request for request in server.asked if request.path.endswith("/chat/completions")]
    assert len(asked) == 5
    assert all(request.headers["authorization"] == "Bearer sesame-open" for request in asked)
    assert "sesame" not in out + err
    assert f"{MODEL} on a server that does not say what it takes" in err


def test_the_models_own_file_says_how_it_is_asked(shelf: Path, strad: Commands) -> None:
    with model_server(LINES) as server:
        words = film(shelf, server.url, "--model", MODEL, "--model-file", shelf / "card.json")
        code, out, err = strad(*words)
    assert code == 0, err
    assert "A man opens a red door." in out
    assert "draft" not in out.lower()


def test_a_manifest_goes_through_a_server_and_is_scored(
    shelf: Path, tmp_path: Path, strad: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    manifest = shelf / "bench.json"
    with model_server(LINES) as server:
        engine = ("--describer", "strad-ft", "--engine", f"openai:{server.url}", "--model", MODEL)
        options = ("--protocol", "strad", "-o", run, *engine, *IMAGES)
        code, _, err = strad("describe", "--manifest", manifest, *options)
    assert code == 0, err
    monkeypatch.setenv("PATH", str(tmp_path))  # without Java, METEOR and SODA are left out
    report = tmp_path / "report.json"
    logs = ("--efficiency", run / "efficiency.jsonl")
    words = ("stream", manifest, run / "predictions.jsonl", *logs, "--json", report, "--quiet")
    assert strad(*words, command=strad_eval)[0] == 0
    document = json.loads(report.read_text())
    assert document["protocol"] == "strad"
    assert document["describer"] == f"strad-ft:{MODEL}"
    record = json.loads((run / "run.json").read_text())
    assert record["asked"]["profile"] == "qwen35-images"
    assert server.url not in json.dumps(record)
    stages = json.loads((run / "efficiency.jsonl").read_text().splitlines()[1])["stages"]
    assert {"decide", "prompt"} <= set(stages)


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ("", 2, "needs --engine"),
        ("--engine openai:{url}", 2, "needs --model"),
        ("--engine openai:{url} --model m --profile oracle", 2, "no profile 'oracle'"),
        ("--engine openai:{url} --model tiny-describer", 2, "Give --profile"),
        ("--engine oracle --model m --profile phi4mm", 2, "no engine 'oracle'"),
        ("--engine openai --model m --profile phi4mm", 2, "openai:URL"),
        ("--engine openai:ftp://x --model m --profile phi4mm", 2, "http"),
        ("--engine openai:{url} --model other --profile qwen35-images", 1, "it serves: tiny-desc"),
        ("--engine openai:{url} --model tiny-describer --profile qwen35-video", 2, "needs video"),
        ("--engine openai:http://127.0.0.1:9/v1 --model m --profile phi4mm", 1, "127.0.0.1:9"),
        ("--preset gpu", 2, "no preset 'gpu'"),
        (
            "--engine openai:{url} --model m --model-file {shelf}/video.json "
            "--profile qwen35-images",
            2,
            "was trained with qwen35-video",
        ),
        ("--engine openai:{url} --model m --model-file {shelf}/no.json", 2, "no.json"),
        ("--engine openai:{url} --model m --model-file {shelf}/broken.json", 2, "profile"),
        ("--engine transformers --model /no/where --profile qwen35-video", 1, "transformers"),
        ("--engine vllm --model /no/where --profile qwen35-video", 1, "vllm"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    options: str, code: int, told: str, shelf: Path, strad: Commands
) -> None:
    with model_server(["WAIT"]) as server:
        words = options.format(url=server.url, shelf=shelf).split()
        video = ("describe", shelf / "film.webm", "--asr", "off", "--describer", "strad-ft")
        got, out, err = strad(*video, *words)
    assert (got, out) == (code, ""), err
    assert told in err
    assert len(err.splitlines()) == 1


def test_a_wrong_key_is_told_without_it(shelf: Path, strad: Commands) -> None:
    with model_server(["WAIT"], status=401) as server:
        code, _, err = strad(*film(shelf, server.url, "--model", MODEL, *IMAGES))
    assert code == 1
    assert "401" in err
    assert "sesame" not in err


def test_a_server_that_fails_for_a_moment_costs_nothing(shelf: Path, strad: Commands) -> None:
    lines = (LINES[0], 500, 429, LINES[1], 503, *LINES[2:])
    with model_server(lines) as server:
        code, out, err = strad(*film(shelf, server.url, "--model", MODEL, *IMAGES))
    assert code == 0, err
    assert "A man opens a red door." in out
    assert "He looks around the hall." in out
    assert "down" not in err


def test_a_server_that_refuses_from_now_on_ends_the_work_and_what_was_said_is_kept(
    shelf: Path, strad: Commands
) -> None:
    with model_server((LINES[0], 403)) as server:
        code, out, err = strad(*film(shelf, server.url, "--model", MODEL, *IMAGES))
    assert code == 1
    assert "A man opens a red door." in out
    assert "Incomplete: the describer is down" in out
    told = [line for line in err.splitlines() if "the describer is down, nothing" in line]
    assert len(told) == 1
    assert "403" in told[0]
    assert err.splitlines()[-1].startswith("strad: the describer is down: ")


def test_what_is_incomplete_is_by_no_protocol(shelf: Path, strad: Commands, tmp_path: Path) -> None:
    """Scored as StrAD, it would pass for a whole run."""
    captions = tmp_path / "none.vtt"
    captions.write_text("WEBVTT\n")
    protocol = ("--protocol", "strad", "--captions", captions, "--format", "jsonl")
    with model_server((LINES[0], 403)) as server:
        engine = ("--describer", "strad-ft", "--engine", f"openai:{server.url}", "--model", MODEL)
        words = ("describe", shelf / "film.webm", *engine, *IMAGES, *protocol)
        code, out, _ = strad(*words, "--summary", tmp_path / "summary.json")
    header, found = PREDICTIONS.read(out.splitlines())
    assert (code, len(found)) == (1, 1)
    assert header is not None
    assert header.protocol is None
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert (summary["protocol"], summary["complete"]) == (None, False)


@pytest.mark.slow
def test_the_demo_and_the_service_describe_with_a_server_too(
    shelf: Path, tmp_path: Path, strad: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRAD_MODEL", MODEL)
    monkeypatch.setenv("STRAD_PROFILE", "qwen35-images")
    with model_server(LINES) as server:
        monkeypatch.setenv("STRAD_ENGINE", f"openai:{server.url}")
        options = ("--describer", "strad-ft", "--asr", "off", "--delay", "6", "--out", tmp_path)
        code, out, err = strad("demo", shelf / "film.webm", *options)
    assert code == 0, err
    assert "A man opens a red door." in out
    assert f"{MODEL} on a server that does not say what it takes" in err


def test_what_serves_behind_a_proxy_is_asked_as_it_wants(shelf: Path, strad: Commands) -> None:
    """Told to be llama-server, it gets that server's own members."""
    with model_server(LINES) as server:
        words = film(shelf, server.url, "--model", MODEL, *IMAGES, "--format", "jsonl")
        code, _, err = strad(*words, "--engine-server", "llama-server")
        assert code == 0, err
        asked = [r.body for r in server.asked if r.path.endswith("/chat/completions")]
    assert f"{MODEL} on llama-server" in err
    assert all("grammar" in body for body in asked)
    code, _, err = strad(*words, "--engine-server", "ollama")
    assert (code, err.count("\n")) == (2, 1)
    assert "engine_server" in err
