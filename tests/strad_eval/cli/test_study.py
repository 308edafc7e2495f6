"""``study`` and ``correlate`` as people run them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from strad_eval.study.answer import rating_of
from strad_eval.study.plan import Study, read_study
from strad_eval.study.trial import Trial, trials_of
from tests.strad_eval.cli.running import run
from tests.strad_eval.study.toy_study import REFERENCES

pytestmark = pytest.mark.eval


@pytest.fixture(autouse=True)
def _no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a machine without Java: these tests are of the rest."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("JAVA_HOME", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A study of a good system and a poor one, made by the command."""
    times = [(60.0 * at + 5, 60.0 * at + 8) for at in range(len(REFERENCES))]
    ad = [{"start": s, "end": e, "text": t} for (s, e), t in zip(times, REFERENCES, strict=True)]
    video = {"id": "film", "duration": 240.0, "ad": ad, "transcript": []}
    refs = tmp_path / "refs.json"
    refs.write_text(json.dumps({"version": 1, "name": "toy", "videos": [video]}))
    for name, texts, late in (("good", REFERENCES, 0.2), ("poor", ("It rains.",) * 4, 20.0)):
        events = [
            {"video_id": "film", "start": s + late, "end": e + late, "text": text}
            for (s, e), text in zip(times, texts, strict=True)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, events)))
    made = tmp_path / "study"
    systems = [f"--system={name}={tmp_path / name}.jsonl" for name in ("good", "poor")]
    assert run("study", made, "--refs", refs, *systems, "--with-reference", "--no-serve") == 0
    return made


def _answered(study: Study, people: int) -> str:
    """People who like the reference best and the poor system least."""
    liked = {"reference": "5", "good": "4", "poor": "1"}
    lines = [
        json.dumps({"strad": "ratings", "version": 1, "study": study.name, "seed": study.seed})
    ]
    for number in range(people):
        code = f"{number:08x}"
        for place, trial in enumerate(trials_of(study, code), start=1):
            lines.append(rating_of(study, trial, code, place, _sent(study, trial, liked)).line())
    return "\n".join(lines) + "\n"


def _sent(study: Study, trial: Trial, liked: dict[str, str]) -> dict[str, str]:
    if trial.kind == "ab":
        first, second = (liked[system] for system in trial.systems)
        return {"preferred": "A" if first > second else "B"}
    return {scale.id: liked[trial.systems[0]] for scale in study.scales}


def _load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_a_study_holds_all_it_needs(folder: Path) -> None:
    study = read_study(folder / "study.json")
    assert study.systems == ("good", "poor", "reference")
    assert len(study.excerpts) == 4
    assert study.excerpts[0].speech == ()
    assert [line.text for line in study.excerpts[0].systems["reference"]] == [REFERENCES[0]]
    # Going on with it needs nothing more.
    assert run("study", folder, "--no-serve") == 0


@pytest.mark.usefixtures("folder")
def test_a_study_that_is_refused_can_be_made_again(tmp_path: Path) -> None:
    new = ("study", tmp_path / "new", "--refs", tmp_path / "refs.json", "--no-serve")
    wanted = (*new, "--system", f"good={tmp_path / 'good.jsonl'}")
    assert run(*wanted, "--media", tmp_path / "typo") == 2
    assert not (tmp_path / "new").exists()
    assert run(*wanted) == 0


def test_metrics_that_follow_people_are_told_from_those_that_do_not(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = read_study(folder / "study.json")
    (folder / "ratings.jsonl").write_text(_answered(study, 3))
    files = ["--json", tmp_path / "c.json", "--csv", tmp_path / "c.csv", "--samples", 100]
    assert run("correlate", folder, *files, "--markdown", tmp_path / "c.md") == 0
    report = _load(tmp_path / "c.json")
    clear = report["scales"]["clear"]
    assert clear["systems"] == {"good": 4.0, "poor": 1.0, "reference": 5.0}
    assert clear["agreement"] == 1.0
    assert clear["metrics"]["cider"]["points"] == 12
    assert clear["metrics"]["cider"]["spearman"]["value"] > 0.7
    # Each excerpt is like the others here: the interval is narrow, and never above 1.
    assert clear["metrics"]["cider"]["spearman"]["high"] <= 1.0
    assert report["wins"]["reference"] == {"preferred": 24, "of": 24}
    assert report["wins"]["poor"]["preferred"] == 0
    agrees = report["choices"]["soda_d"]
    assert agrees["agree"] == agrees["of"] == 36
    out = " ".join(capsys.readouterr().out.split())
    assert "METEOR and SODA are not scored" in out
    assert "Metrics against scale clear" in out
    assert "## Metrics against choices" in (tmp_path / "c.md").read_text()
    # What was written can be read back, as if it were another metric.
    assert run("correlate", folder, "--scores", tmp_path / "c.csv", "--samples", 100) == 0


def test_other_peoples_metrics_are_held_against_the_same_ratings(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = read_study(folder / "study.json")
    (folder / "ratings.jsonl").write_text(_answered(study, 1))
    table = tmp_path / "mine.csv"
    worth = {"reference": 3, "good": 2, "poor": 1}
    rows = [f"{s},{e.id},{worth[s]}" for s in study.systems for e in study.excerpts]
    table.write_text("\n".join(["system,excerpt,mine", *rows]))
    options = ["--scores", table, "--json", tmp_path / "c.json", "--samples", 100]
    assert run("correlate", folder, *options) == 0
    mine = _load(tmp_path / "c.json")["scales"]["clear"]["metrics"]["mine"]
    assert mine["kendall"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    table.write_text("system,excerpt,mine\nnobody,film@0,1\n")
    assert run("correlate", folder, "--scores", table) == 2
    assert "mine.csv:2: the study has no 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["study", "FOLDER", "--refs", "x"], "exists already"),
        (["study", "none"], "to make a study, give --refs and --system"),
        (["study", "none", "--refs", "x", "--system", "a"], "want NAME=PREDS, each name once"),
        (["study", "/proc/x", "--refs", "x", "--system", "a=b"], "/proc/x: can't be written"),
        (["study", "FOLDER", "--media", "/no"], "/no: can't be read: no such file"),
        (["correlate", "FOLDER"], "ratings.jsonl: can't be read"),
    ],
)
def test_errors_are_one_line(
    folder: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(folder) if word == "FOLDER" else word for word in arguments]
    assert run(*given) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
