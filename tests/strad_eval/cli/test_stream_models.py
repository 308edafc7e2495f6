"""``stream --with``: a real chat server judges, a model that is missing is said to be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.strad_eval.cli.chat_thread import ChatThread, answering
from tests.strad_eval.cli.running import run
from tests.strad_eval.toy import DURATIONS, PREDICTIONS, REFERENCES

pytestmark = pytest.mark.eval


@pytest.fixture(autouse=True)
def _no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a machine without Java: these tests are of the rest."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("JAVA_HOME", raising=False)


@pytest.fixture
def toy(tmp_path: Path) -> list[Path]:
    """References and predictions."""
    videos = [
        {
            "id": name,
            "duration": DURATIONS[name],
            "ad": [{"start": s, "end": e, "text": t} for s, e, t in said],
        }
        for name, said in REFERENCES.items()
    ]
    refs, preds = tmp_path / "refs.json", tmp_path / "preds.jsonl"
    refs.write_text(json.dumps({"version": 1, "name": "toy", "videos": videos}))
    items = [
        {"video_id": name, "start": s, "end": e, "text": t}
        for name, said in PREDICTIONS.items()
        for s, e, t in said
    ]
    preds.write_text("\n".join(map(json.dumps, items)))
    return [refs, preds]


@pytest.fixture
def judge() -> Iterator[ChatThread]:
    with answering(lambda _: "{'score': 4}") as server:
        yield server


def _load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_a_judge_rates_the_pairs_and_its_figure_is_in_every_report(
    toy: list[Path], tmp_path: Path, judge: ChatThread, capsys: pytest.CaptureFixture[str]
) -> None:
    options: list[object] = [
        "--with",
        "llm-ad-eval",
        "--judge-url",
        judge.url,
        "--model",
        "judge=tiny",
    ]
    options += ["--answers", tmp_path / "book.jsonl"]
    files = [tmp_path / name for name in ("r.json", "r.md", "r.html")]
    told = ["--json", files[0], "--markdown", files[1], "--html", files[2]]
    assert run("stream", *toy, *options, *told) == 0
    report = _load(files[0])
    figure = report["figures"]["llm_ad_eval:0-5:tiny"]
    assert figure["value"] == pytest.approx((3.5 + 3.5 + 2.5) / 3)
    assert figure["by_threshold"] == {"0.1": 3.5, "0.3": 3.5, "0.5": 2.5}
    assert figure["by_video"]["v2"] == 4.0
    assert report["figures"]["llm_ad_eval:1-5:tiny"]["value"] == figure["value"]
    assert set(report["prompts"]) == {"llm_ad_eval_0_5_v1", "llm_ad_eval_1_5_v1"}
    assert "judge tiny" in report["models"]
    assert len(judge.asked) == 8
    said = [capsys.readouterr().out, files[1].read_text(), files[2].read_text()]
    for page in said:
        assert "LLM-AD-Eval 0-5, tiny" in " ".join(page.split())
    assert run("stream", *toy, *options, "--json", tmp_path / "again.json") == 0
    assert len(judge.asked) == 8
    capsys.readouterr()
    assert run("compare", files[0], tmp_path / "again.json", "--json", tmp_path / "c.json") == 0
    assert _load(tmp_path / "c.json")["figures"]["llm_ad_eval:1-5:tiny"]["difference"] == 0.0
    assert "LLM-AD-Eval" in capsys.readouterr().out


def test_reports_of_other_models_are_not_compared(
    toy: list[Path], tmp_path: Path, judge: ChatThread, capsys: pytest.CaptureFixture[str]
) -> None:
    options: list[object] = [
        "--with",
        "llm-ad-eval",
        "--judge-url",
        judge.url,
        "--model",
        "judge=tiny",
    ]
    options += ["--answers", tmp_path / "book.jsonl", "--json", tmp_path / "a.json"]
    assert run("stream", *toy, *options) == 0
    report = _load(tmp_path / "a.json")
    report["models"]["judge tiny"] = "another"
    (tmp_path / "b.json").write_text(json.dumps(report))
    assert run("compare", tmp_path / "a.json", tmp_path / "b.json") == 2
    assert "made with other models: judge tiny" in capsys.readouterr().err


def test_models_that_are_not_here_leave_the_rest_scored(toy: list[Path], tmp_path: Path) -> None:
    actions = tmp_path / "actions.csv"
    actions.write_text("text_gt,gt_action\nThe car stops.,\"['it stops']\"\n")
    options = ["--with", "action-score", "--actions", actions, "--model", "verbs=none_such"]
    assert run("stream", *toy, *options, "--quiet", "--json", tmp_path / "r.json") == 0
    report = _load(tmp_path / "r.json")
    assert any(line.startswith("ActionScore is not scored: ") for line in report["not_scored"])
    assert "cider" in report["figures"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--with", "critic"], "--with critic: choose from llm-ad-eval, action-score"),
        (["--with", "action-score"], "--with action-score needs --actions FILE"),
        (["--with", "llm-ad-eval"], "needs --judge-url and --model judge=NAME"),
        (["--model", "cook=x"], "want ROLE=NAME"),
        (["--reading", "scale=9"], "choose from both, 0-5, 1-5"),
        (["--reading", "most_predictions=-1"], "out of range"),
        (["--reading", "seed=-1"], "out of range"),
    ],
)
def test_errors_are_one_line(
    toy: list[Path], options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("stream", *toy, *options) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
