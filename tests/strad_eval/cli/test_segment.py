"""``segment`` and ``document`` as people run them."""

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

PUBLISHED = """vid,start,end,text_gt,text_gen
2011/bb,1.0,2.0,A man runs away.,A man runs away.
2011/bb,3.0,4.0,She sits down there.,
2014/aa,1.0,2.0,He opens the old door.,He opens a door.
"""


@pytest.fixture(autouse=True)
def _no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a machine without Java: these tests are of the rest."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("JAVA_HOME", raising=False)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    path = tmp_path / "published.csv"
    path.write_text(PUBLISHED)
    return path


def _rating(body: dict[str, Any]) -> str:
    """What is said of doors is a 3, of anything else no number at all."""
    return "{'score': 3}" if "door" in body["messages"][1]["content"] else "hm"


@pytest.fixture
def judge() -> Iterator[ChatThread]:
    with answering(_rating) as server:
        yield server


def _load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_one_file_of_references_and_predictions_is_enough(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "r.json", tmp_path / "r.md"]
    assert run("segment", published, "--json", files[0], "--markdown", files[1]) == 0
    report = _load(files[0])
    assert report["rows"][0]["cider"] == pytest.approx(10.0)
    assert report["rows"][1]["cider"] == 0.0
    assert report["counts"] == {"rows": 3, "predictions": 3, "paired": 3}
    assert "meteor" not in report["figures"]
    out = " ".join(capsys.readouterr().out.split())
    for said in ("METEOR is not scored: no java", "1 rows without words", "recall_n=5"):
        assert said in out
    assert "| ROUGE-L |" in files[1].read_text()


def test_judges_are_asked_once_and_what_they_did_not_say_is_counted(
    published: Path, tmp_path: Path, judge: ChatThread, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--with", "llm-ad-eval", "--judge-url", judge.url, "--model", "judge=tiny"]
    options += ["--answers", tmp_path / "book.jsonl", "--key", "sk-1", "--quiet"]
    assert run("segment", published, *options, "--json", tmp_path / "r.json") == 0
    figures = _load(tmp_path / "r.json")["figures"]
    # Rows: "hm" (0), empty (0, never asked), 3. On both scales.
    assert figures["llm_ad_eval:0-5:tiny"]["value"] == pytest.approx(1.0)
    assert figures["llm_ad_eval:1-5:tiny"]["value"] == pytest.approx(1.0)
    assert len(judge.asked) == 4
    assert judge.asked[0]["temperature"] == 0.0
    assert run("segment", published, *options, "--json", tmp_path / "again.json") == 0
    assert len(judge.asked) == 4
    assert _load(tmp_path / "again.json")["figures"] == figures
    assert "sk-1" not in (tmp_path / "r.json").read_text() + capsys.readouterr().out


def test_a_judge_may_have_an_address_of_its_own_and_members_in_its_requests(
    published: Path, tmp_path: Path, judge: ChatThread
) -> None:
    options = ["--with", "llm-ad-eval", "--model", f"judge=a@b@{judge.url}", "--quiet"]
    options += ["--answers", tmp_path / "book.jsonl", "--reading", "scale=0-5"]
    options += ["--extra", '{"top_k": 1}', "--json", tmp_path / "r.json"]
    assert run("segment", published, *options) == 0
    assert (judge.asked[0]["model"], judge.asked[0]["top_k"]) == ("a@b", 1)
    assert 'judge a@b {"top_k": 1}' in _load(tmp_path / "r.json")["models"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--extra", "[1]"], "--extra: not a JSON object"),
        (["--with", "bleu"], "--with bleu: choose from recall, critic"),
        (["--with", "critic"], "--with critic needs --casts FILE"),
        (["--with", "llm-ad-eval"], "needs --judge-url and --model judge=NAME"),
        (["--model", "cook=x"], "want ROLE=NAME"),
        (["--compat", "x"], "--compat x: choose from strad"),
        (["--films", "none.json"], "none.json: can't be read"),
    ],
)
def test_errors_are_one_line(
    published: Path, options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("segment", published, *options) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_a_model_that_is_not_there_leaves_the_rest_scored(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--with", "recall", "--model", f"bertscore={tmp_path / 'nothing'}", "--quiet"]
    assert run("segment", published, *options, "--json", tmp_path / "r.json") == 0
    report = _load(tmp_path / "r.json")
    assert "cider" in report["figures"]
    assert any(line.startswith("Recall@k/N is not scored: ") for line in report["not_scored"])
    assert "Recall@k/N is not scored" in capsys.readouterr().err


def test_a_document_is_paired_in_time_and_stream_stands_beside_it(tmp_path: Path) -> None:
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
    preds.write_text(
        "\n".join(
            json.dumps({"video_id": name, "start": s, "end": e, "text": t})
            for name, said in PREDICTIONS.items()
            for s, e, t in said
        )
    )
    assert run("document", refs, preds, "--json", tmp_path / "r.json", "--quiet") == 0
    report = _load(tmp_path / "r.json")
    figures = {name: figure["value"] for name, figure in report["figures"].items()}
    # v1: all 3 references have one of 4 predictions; v2: 1 of 2 has the only one.
    assert figures["paired_references"] == pytest.approx(4 / 5)
    assert figures["paired_predictions"] == pytest.approx(4 / 5)
    assert figures["stream:recall"] == pytest.approx((0.75 + 0.75 + 0.416667) / 3, abs=1e-6)
    assert [row["description"] for row in report["rows"]][-1] == ""
