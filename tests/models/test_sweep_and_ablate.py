"""Many runs over tiny models: learning rates tried, and what each input is worth, in one table."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import optuna
import pytest
import typer.testing

from strad.cues import Cue
from strad.errors import InputError
from strad.manifest import Manifest, Source, TranscriptLine, Video, write_manifest
from strad.record import TimedText
from strad.timeline import to_seconds
from tests.models.lesson_data import write_lessons
from tests.models.programme import programme, render
from training.cli.main import application
from training.config import FitConfig
from training.data import splits_of
from training.sweeping import RATE, STUDY, SweepConfig, Tried, best_of, sweep

pytestmark = [
    pytest.mark.models,
    pytest.mark.slow,
    pytest.mark.usefixtures("one_thread"),
]

ROWS = ("--variant", "all", "--variant", "no-video", "--variant", "no-audio")
HOW = ("--at-once", "8", "--workers", "0", "--device", "cpu", "--no-checkpointing")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons") / "data"
    write_lessons(folder, {"train": 64, "validation": 8})
    return folder


class StoppedError(Exception):
    """The machine goes down."""


def stopping(after: int) -> object:
    evaluations: list[str] = []

    def told(what: str, step: int, steps: int, figures: Mapping[str, float]) -> None:
        if "validation_loss" in figures:
            evaluations.append(what)
            if len(evaluations) == after:
                raise StoppedError

    return told


@pytest.fixture(scope="module")
def swept(
    data: Path, trained: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[Tried]]:
    """Broken off in its second trial, and as a third was made; gone on with."""
    folder = tmp_path_factory.mktemp("sweep") / "rates"
    run = FitConfig(
        data,
        str(trained),
        folder,
        most_steps=2,
        evaluate_every=1,
        most_validated=4,
        at_once=8,
        workers=0,
        device="cpu",
        checkpointing=False,
        augmentations=(),
    )
    wanted = SweepConfig(run, trials=4, lowest=1e-6, highest=1e-2)
    clock = time.monotonic  # noqa: TID251
    with pytest.raises(StoppedError):
        sweep(wanted, splits_of(data), stopping(3), clock)  # type: ignore[arg-type]
    optuna.load_study(study_name=RATE, storage=f"sqlite:///{folder / STUDY}").ask()
    return folder, sweep(wanted, splits_of(data), lambda *_: None, clock)


def test_a_sweep_that_is_broken_off_goes_on_and_prunes(swept: tuple[Path, list[Tried]]) -> None:
    folder, tried = swept
    assert [one.number for one in tried] == list(range(4))
    assert all(1e-6 <= one.rate <= 1e-2 for one in tried)
    assert len({one.rate for one in tried}) == 4
    assert {one.state for one in tried} <= {"complete", "pruned"}
    assert [step for step, _ in tried[1].losses] == [1, 2]
    assert all(len(one.losses) == 1 for one in tried if one.state == "pruned")
    assert best_of(tried).best == min(one.best for one in tried if one.state == "complete")
    assert (folder / STUDY).is_file()


def test_a_sweep_tells_the_command_for_the_best_and_draws_it(
    swept: tuple[Path, list[Tried]], data: Path, trained: Path
) -> None:
    folder, tried = swept
    words = ["sweep", str(data), str(trained), str(folder), "--trials", "4"]
    words += ["--lowest", "1e-6", "--highest", "1e-2", "--steps", "2", "--evaluate-every", "1"]
    words += ["--validated", "4", "--augment", "none", *HOW]
    told = typer.testing.CliRunner().invoke(application(), words, catch_exceptions=False)
    assert told.exit_code == 0
    assert f"strad-train fit {data} {trained} run" in told.output
    assert f"--learning-rate {best_of(tried).rate:g}" in told.output
    rows = list(csv.DictReader((folder / "trials.csv").read_text().splitlines()))
    assert [row["state"] for row in rows] == [one.state for one in tried]
    assert "4 trials:" in (folder / "sweep.html").read_text()
    assert (folder / "rates.png").read_bytes().startswith(b"\x89PNG")


def timed(cue: Cue) -> dict[str, Any]:
    when = cue.when
    return {"start": to_seconds(when.start), "end": to_seconds(when.end), "text": cue.text}


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered programme, its descriptions known."""
    folder = tmp_path_factory.mktemp("films")
    plan = programme(1, length=84_000)
    render(plan, folder / "film.webm")
    film = Video(
        id="film",
        source=Source(path="film.webm"),
        duration=to_seconds(plan.length),
        ad=tuple(TimedText(**timed(cue)) for cue in plan.descriptions),
        transcript=tuple(TranscriptLine(**timed(cue)) for cue in plan.said),
    )
    path = folder / "films.json"
    path.write_text(write_manifest(Manifest(version=1, name="films", videos=(film,))))
    return path


def ablate(*words: str) -> str:
    """What is printed."""
    told = typer.testing.CliRunner().invoke(application(), words, catch_exceptions=False)
    assert told.exit_code == 0
    return told.output


@pytest.fixture(scope="module")
def ablated(
    manifest: Path, trained: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str], str]:
    """Its folder, the command but for variants, and what was printed.

    A model that can describe shapes already is trained a little further, with and without video.
    """
    folder = tmp_path_factory.mktemp("ablation")
    write_lessons(folder / "data", {"train": 32, "validation": 6}, changed=lambda sample: sample)
    out = folder / "ablation"
    words = ["ablate", str(folder / "data"), str(trained), str(out), "--manifest", str(manifest)]
    words += ["--steps", "1", "--learning-rate", "1e-5", "--samples", "4", *HOW]
    return out, words, ablate(*words, *ROWS)


def test_without_video_nothing_seen_is_told_and_the_table_says_so(
    ablated: tuple[Path, list[str], str],
) -> None:
    folder, _, printed = ablated
    table = (folder / "table.csv").read_text().splitlines()
    rows = {row["variant"]: row for row in csv.DictReader(table)}
    assert list(rows) == ["all", "no-video"]  # a Qwen3.5 hears nothing anyway
    assert float(rows["all"]["recall"]) >= 0.7
    assert float(rows["all"]["cider"]) > 3 * float(rows["no-video"]["cider"])
    assert float(rows["all"]["soda_d"]) > float(rows["no-video"]["soda_d"])
    assert (folder / "table.md").read_text() in printed
    report = json.loads((folder / "all" / "report.json").read_text())
    assert report["protocol"] == "strad"
    assert not (folder / "all" / "model").exists()


def test_what_is_there_is_not_made_again_and_one_variant_s_table_has_all_rows(
    ablated: tuple[Path, list[str], str],
) -> None:
    folder, words, _ = ablated
    table = (folder / "table.csv").read_text()
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.json*")}
    ablate(*words, *ROWS)
    changed = {p.name for p, t in before.items() if p.stat().st_mtime_ns != t}
    assert changed <= {"config.json"}
    ablate(*words, "--variant", "no-video")
    assert (folder / "table.csv").read_text() == table


def test_an_ablation_goes_on_over_the_same_references_and_films_wherever_they_lie(
    ablated: tuple[Path, list[str], str], manifest: Path, tmp_path: Path
) -> None:
    _, words, _ = ablated
    film = tmp_path / "film.webm"
    film.write_bytes(manifest.with_name("film.webm").read_bytes())
    elsewhere = [*words, "--media", str(tmp_path), "--variant", "no-video"]
    ablate(*elsewhere)
    render(programme(2, length=84_000), film)
    with pytest.raises(InputError, match="over other films"):
        ablate(*elsewhere)
    other = tmp_path / "others.json"
    other.write_text(manifest.read_text().replace('"films"', '"others"'))
    film.write_bytes(manifest.with_name("film.webm").read_bytes())
    with pytest.raises(InputError, match="over other references"):
        ablate(*words, "--manifest", str(other), "--media", str(tmp_path))
