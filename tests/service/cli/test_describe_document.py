"""``strad describe --task document`` over HTTP: passes, outputs, and what is refused."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.cli.main import main
from strad.passes import WHOLE
from strad.predictions import PREDICTIONS
from strad.webvtt import read_webvtt
from tests.seeing.asked import Asked
from tests.seeing.document_film import NAMES, story
from tests.seeing.document_mind import document_tasks, look_through
from tests.seeing.film import render
from tests.seeing.server import MODEL, SeeingServer, seeing_thread

pytestmark = pytest.mark.service

ROOT = Path(__file__).parents[3]
STORY = story(36_000, scene=12_000, people=2)


@pytest.fixture(scope="module")
def server() -> Iterator[SeeingServer]:
    """The endpoint."""
    with seeing_thread(document_tasks(NAMES)) as server:
        yield server


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film and its captions."""
    folder = tmp_path_factory.mktemp("films")
    render(STORY.film, folder / "film.webm", fps=1)
    (folder / "film.vtt").write_text(STORY.film.captions())
    return folder


def strad(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["strad", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def asked(shelf: Path, url: str, *more: object) -> list[object]:
    engine = ("--engine", f"openai:{url}", "--model", MODEL)
    given = ("--captions", shelf / "film.vtt", "--gaps", "transcript")
    return ["describe", shelf / "film.webm", "--task", "document", *engine, *given, *more]


def test_passes_outputs_and_a_correction(
    shelf: Path,
    server: SeeingServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    vtt, figures = tmp_path / "ad.vtt", tmp_path / "figures.json"
    more = ("-o", vtt, "--summary", figures)
    code, _, err = strad(monkeypatch, capsys, *asked(shelf, server.url, *more))
    assert (code, server.refused) == (0, [])
    assert "pass 1 of 5, listen" in err
    assert "3 descriptions, a draft, 0 dropped" in err
    text = vtt.read_text()
    assert "Draft audio description, made automatically by strad-document" in text
    assert read_webvtt(text)[0].text.startswith("The red circle")
    summary = json.loads(figures.read_text())
    assert (summary["said"], summary["draft"], len(summary["made"])) == (3, True, 5)
    folder = tmp_path / "ad.vtt.passes"
    assert "| nothing new is seen |" in (folder / "report.md").read_text()

    whole = folder / WHOLE.file
    whole.write_text(whole.read_text().replace("The red circle moves right", "It moves away", 1))
    before = len(server.asked)
    jsonl = tmp_path / "ad.jsonl"
    again = asked(shelf, server.url, "-o", jsonl, "--folder", folder)
    code, _, err = strad(monkeypatch, capsys, *again)
    assert code == 0
    assert "with your whole" in err
    header, lines = PREDICTIONS.read(jsonl.read_text().splitlines())
    assert header is not None
    assert header.draft
    assert lines[0].text.startswith("It moves away")
    assert len(server.asked) == before


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--delay", "3"], "--delay does not go with --task document"),
        (["--describer", "facts"], "--describer does not go with --task document"),
        (["--engine", ""], "--task document asks a model"),
        (["--from", "nothing"], "--from"),
        (["-o", "ad.txt"], "which format"),
    ],
)
def test_wrong_usage_is_refused(
    shelf: Path,
    more: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = strad(monkeypatch, capsys, *asked(shelf, "http://127.0.0.1:9/v1", *more))
    assert code == 2
    assert told in " ".join(err.split())


def test_an_engine_that_refuses_ends_it_with_one_line_and_the_passes_stay(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with seeing_thread({}) as deaf:
        words = asked(shelf, deaf.url, "-o", tmp_path / "ad.vtt", "--folder", tmp_path / "passes")
        code, _, err = strad(monkeypatch, capsys, *words)
    assert code == 1
    assert err.splitlines()[-1].startswith("strad: ")
    assert "HTTP 400" in err
    assert (tmp_path / "passes" / "1-listen.jsonl").exists()
    assert not (tmp_path / "ad.vtt").exists()


def test_a_second_run_in_the_folder_is_refused_and_the_first_goes_on(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second comes while the first one's third step is with the engine."""
    asked_thrice, go_on = threading.Event(), threading.Event()
    steps = iter(range(100))

    def look(request: Asked) -> str:
        if next(steps) == 2:
            asked_thrice.set()
            go_on.wait(60)
        return look_through(request)

    with seeing_thread(document_tasks() | {"document-look": look}) as server:
        words = asked(shelf, server.url, "-o", tmp_path / "ad.vtt", "--folder", tmp_path)
        program = [sys.executable, "-c", "from service.cli import main; main()"]
        with subprocess.Popen([*program, *map(str, words)], cwd=ROOT) as run:
            assert asked_thrice.wait(60)
            code, _, err = strad(monkeypatch, capsys, *words)
            go_on.set()
            assert run.wait(60) == 0
    assert code == 1
    assert (
        err.splitlines()[-1] == f"strad: {tmp_path}: another run works in it; wait, or name another"
    )
    assert (tmp_path / "ad.vtt").exists()


def test_ctrl_c_keeps_what_is_done(shelf: Path, tmp_path: Path) -> None:
    asked_thrice, go_on = threading.Event(), threading.Event()
    steps = iter(range(100))

    def look(request: Asked) -> str:
        if next(steps) == 2:
            asked_thrice.set()
            go_on.wait(60)
        return look_through(request)

    with seeing_thread(document_tasks() | {"document-look": look}) as server:
        words = asked(shelf, server.url, "-o", tmp_path / "ad.vtt", "--folder", tmp_path)
        program = [sys.executable, "-c", "from service.cli import main; main()"]
        with subprocess.Popen(
            [*program, *map(str, words)], cwd=ROOT, stderr=subprocess.PIPE
        ) as run:
            assert asked_thrice.wait(60)
            run.send_signal(signal.SIGINT)
            _, told = run.communicate(timeout=60)
            go_on.set()
    assert run.returncode == 130
    assert b"Traceback" not in told
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "1-listen.jsonl",
        "2-look.jsonl.part",
    ]
    assert len((tmp_path / "2-look.jsonl.part").read_text().splitlines()) == 1 + 2
