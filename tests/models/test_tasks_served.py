"""The tasks beside streaming over a real vLLM server and a tiny model: plumbing only.

The model was trained for other prompts, so what it says is of no worth; that every prompt is taken,
every pass ends, every row gets its line and the outputs can be read is what is tested.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

from service.cli.main import main
from strad.passes import WHOLE
from strad.webvtt import read_webvtt
from tests.models.programme import OPENING, Programme, Shown, programme, render
from tests.models.vllm_server import VllmServer

pytestmark = [pytest.mark.models, pytest.mark.slow]

HEADER = "text,start,end,movie,scaled_start,scaled_end,cmd_filename,imdbid,movie_title,cmd_clip_idx"
ROWS = ("One.,1,2,7,2.0,4.0,film,tt1,T,1", "Two.,1,2,7,8.5,11.0,film,tt1,T,1")
FILM = Programme(12_000, (Shown(7_500, programme(1).shown[0].shape),), OPENING)
"""Short: a model that was taught nothing of documents answers as long as it may."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A programme, its captions, and two rows of annotations."""
    folder = tmp_path_factory.mktemp("programme")
    (folder / "film.vtt").write_text(FILM.captions())
    (folder / "anno.csv").write_text("\n".join([HEADER, *ROWS, ""]))
    render(FILM, folder / "film.webm")
    return folder


def strad(monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    monkeypatch.setattr(sys, "argv", ["strad", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0


def test_a_document_goes_through_all_its_passes(
    shelf: Path, vllm_server: VllmServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out, figures = tmp_path / "film.ad.vtt", tmp_path / "figures.json"
    engine = ("--engine", f"openai:{vllm_server.url}", "--model", "base")
    given = ("--captions", shelf / "film.vtt", "--gaps", "transcript")
    film = shelf / "film.webm"
    strad(
        monkeypatch,
        *("describe", film, "--task", "document", *engine, *given),
        *("-o", out, "--summary", figures),
    )
    summary = json.loads(figures.read_text())
    assert len(summary["made"]) == 5
    assert summary["said"] == len(read_webvtt(out.read_text()))
    folder = tmp_path / "film.ad.vtt.passes"
    assert (folder / WHOLE.file).is_file()
    assert (folder / "report.md").is_file()


@pytest.mark.parametrize(
    "more",
    [(), ("--describer", "strad-ft", "--profile", "qwen35-images")],
    ids=["strad-zero", "strad-ft"],
)
def test_each_segment_gets_its_line(
    shelf: Path,
    vllm_server: VllmServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    more: tuple[str, ...],
) -> None:
    out = tmp_path / "said.csv"
    engine = ("--engine", f"openai:{vllm_server.url}", "--model", "base", *more)
    strad(
        monkeypatch,
        *("describe", "--task", "segment", "--segments", shelf / "anno.csv"),
        *("--media-folder", shelf, *engine, "-o", out),
    )
    with out.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(ROWS)
