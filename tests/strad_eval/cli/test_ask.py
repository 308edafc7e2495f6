"""``ask`` and ``mcq`` as people run them, against a real server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.strad_eval.cli.chat_thread import answering
from tests.strad_eval.cli.running import run

pytestmark = pytest.mark.eval

TASKS = ("STL", "MPO", "AFA", "PTG", "SPL")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    listed = [
        {
            "qid": f"film_{task}",
            "video_name": "film",
            "task": task,
            "question": f"Which one is right for {task}?",
            "correct_answer": "the right one",
            "options": ["the left one", "the right one", "the blue one", "no one"],
            "segment_timestamp": [0, 10 + 20 * at],
        }
        for at, task in enumerate(TASKS)
    ]
    path = tmp_path / "jointavbench.json"
    path.write_text(json.dumps(listed))
    return path


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    place = tmp_path / "frames" / "film"
    place.mkdir(parents=True)
    for at in range(100):
        (place / f"{at}.0.jpg").write_bytes(b"\xff\xd8" + bytes([at]))
    return place.parent


def _seeing(body: dict[str, Any]) -> str:
    """Right where there are pictures, else always the first letter."""
    content = body["messages"][1]["content"]
    if isinstance(content, str):
        return "A"
    text = content[-1]["text"]
    return f"The answer is {text.split(') the right one')[0][-1]}"


def _arguments(questions: Path, out: Path, url: str, *more: object) -> list[object]:
    return ["ask", questions, out, "--benchmark", "jointav", "--url", url, "--model", "tiny", *more]


def test_ways_are_asked_scored_and_shown_side_by_side(
    questions: Path, frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    more = ["--show", "options", "--show", "vision", "--frames", 3, "--frames-from", frames]
    with answering(_seeing) as server:
        assert run(*_arguments(questions, out, server.url, *more, "--key", "sk-7")) == 0
        assert len(server.asked) == 2 * len(TASKS)
        pictures = [len(b["messages"][1]["content"]) - 1 for b in server.asked[len(TASKS) :]]
        assert pictures == [3] * len(TASKS)
        said = " ".join(capsys.readouterr().out.split())
        assert "options" in said
        assert "100.00" in said
        # Again: nothing is asked, the same is said.
        assert run(*_arguments(questions, out, server.url, *more)) == 0
        assert len(server.asked) == 2 * len(TASKS)
    written = {path.name: path.read_text() for path in out.iterdir()}
    assert set(written) == {"options.jsonl", "vision.jsonl", "answers-kept.jsonl"}
    assert "sk-7" not in "".join(written.values())
    header = json.loads(written["vision.jsonl"].splitlines()[0])
    assert (header["model"], header["frames"], header["shown"]) == ("tiny", 3, "vision")


def test_mcq_scores_the_files_that_ask_wrote(
    questions: Path, frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "out", tmp_path / "r.json"
    with answering(_seeing) as server:
        more = ["--show", "vision", "--frames", 2, "--frames-from", frames]
        assert run(*_arguments(questions, out, server.url, *more)) == 0
    options = [
        "--benchmark",
        "jointav",
        "--json",
        report,
        "--markdown",
        tmp_path / "r.md",
        "--quiet",
    ]
    assert run("mcq", questions, out / "vision.jsonl", *options) == 0
    found = json.loads(report.read_text())
    (system,) = found["systems"]
    assert system["overall"]["accuracy"] == 1.0
    assert system["tokens"] == [10 * len(TASKS), 2 * len(TASKS)]
    assert system["groups"]["dimension"]["plot"]["of"] == 2
    assert system["groups"]["duration"]["60 s and more"]["of"] == 2
    again = [*options[:2], "--reading", "mpo=temporal", "--json", tmp_path / "s.json", "--quiet"]
    assert run("mcq", questions, out / "vision.jsonl", *again) == 0
    (other,) = json.loads((tmp_path / "s.json").read_text())["systems"]
    assert other["groups"]["dimension"]["plot"]["of"] == 1
    assert "| Accuracy, % | 100.00 |" in (tmp_path / "r.md").read_text()
    capsys.readouterr()


def test_a_refusing_server_ends_the_run_in_one_line(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(lambda _: 401) as server:
        arguments = _arguments(questions, tmp_path / "out", server.url, "--show", "options")
        assert run(*arguments, "--key", "sk-7") == 1
    said = capsys.readouterr().err
    assert "HTTP 401" in said
    assert "sk-7" not in said


def test_questions_without_their_frames_are_named_and_the_rest_is_scored(
    questions: Path, frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = json.loads(questions.read_text())
    listed[0]["video_name"] = "other"
    questions.write_text(json.dumps(listed))
    more = ["--show", "vision", "--frames-from", frames]
    with answering(_seeing) as server:
        assert run(*_arguments(questions, tmp_path / "out", server.url, *more)) == 1
    said = capsys.readouterr()
    assert "1 question got no answer; the first: film_STL:" in said.err
    assert "80.00" in said.out


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--show", "touch"], "choose from options, vision"),
        ([], "--show vision needs --frames-from or --videos"),
        (["--show", "audio"], "--show audio needs --audio-from or --videos"),
        (["--show", "options", "--benchmark", "mmlu"], "choose from cinepile, jointav"),
        (["--show", "options", "--url", "localhost"], "want http:// or https://"),
    ],
)
def test_errors_are_one_line(
    questions: Path,
    tmp_path: Path,
    more: list[str],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(*_arguments(questions, tmp_path / "out", "http://127.0.0.1:9/v1", *more)) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
