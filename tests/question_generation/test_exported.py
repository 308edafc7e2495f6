"""A run's items go out in others' columns and come back, and the judge scores them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from question_generation.cli.main import application
from question_generation.exported import CINEPILE, INSTRUCTIONS, Scenes, cinepile_row
from question_generation.item import Item
from question_generation.options import LETTERS
from question_generation.review.reviews import Mended, Review
from question_generation.run_folder import items_of
from strad.questions import QUESTIONS
from strad_eval.cli.main import application as judge
from tests.question_generation.plain_pipeline import FromText, made, write_scenes

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    home = tmp_path_factory.mktemp("export")
    source = write_scenes(home / "scenes.jsonl", 40)
    asyncio.run(made(home / "run", source, FromText()))
    return home / "run"


def exported(folder: Path, out: Path, *said: str) -> None:
    result = CliRunner().invoke(application(), ["export", str(folder), str(out), *said])
    assert result.exit_code == 0, (result.output, result.exception)


def test_columns_are_the_papers_and_rows_the_items(folder: Path, tmp_path: Path) -> None:
    exported(folder, tmp_path, "--form", "cinepile", "--form", "instructions")
    items = list(items_of(folder / "03-split.jsonl"))
    table = parquet.read_table(tmp_path / "cinepile.parquet")
    assert table.column_names == list(CINEPILE)
    rows = table.to_pylist()
    assert [row["question"] for row in rows] == [item.question for item in items]
    for row in rows:
        assert row["choices"][row["answer_key_position"]] == row["answer_key"]
        assert row["movie_scene"].startswith("<visual descriptions> [0.0-1.0] Scene")
    told = parquet.read_table(tmp_path / "instructions.parquet")
    assert told.column_names == list(INSTRUCTIONS)
    for row, item in zip(told.to_pylist(), items, strict=True):
        assert row["response"] == f"{LETTERS[item.answer_index or 0]}) {item.answer}"
        assert row["response"] in row["instruction"]
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("---\n")
    assert "| `instruction` | string |" in card


def test_cinepiles_own_words_are_kept(folder: Path) -> None:
    item = Item(
        id="x",
        video_id="v",
        question="Who?",
        answer="A",
        options=("A", "B"),
        category="Character and Relationship Dynamics",
        hard=False,
        visual_reliance=True,
    )
    row = cinepile_row(item, Scenes.of(folder / "00-source.jsonl"))
    assert row["question_category"] == "Character and\nRelationship Dynamics"
    assert (row["hard_split"], row["visual_reliance"]) == ("False", "1")
    assert row["movie_scene"] == ""


def test_the_judge_scores_what_is_exported(folder: Path, tmp_path: Path) -> None:
    exported(folder, tmp_path / "out", "--split", "test")
    path = tmp_path / "out" / "questions.jsonl"
    questions = QUESTIONS.read(path.read_text().splitlines())[1]
    assert questions
    assert {one.split for one in questions} == {"test"}
    answers = tmp_path / "answers.jsonl"
    lines = [
        {"id": one.id, "output": LETTERS[one.answer_index if at % 2 else 1 - one.answer_index // 2]}
        for at, one in enumerate(questions)
        if one.answer_index is not None
    ]
    answers.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    right = sum(
        line["output"] == LETTERS[one.answer_index or 0]
        for line, one in zip(lines, questions, strict=True)
    )
    for benchmark in ("cinepile", "jointav"):
        report = tmp_path / f"{benchmark}.json"
        command = ["mcq", str(path), str(answers), "--benchmark", benchmark, "--json", str(report)]
        result = CliRunner().invoke(judge(), [*command, "--quiet"])
        assert result.exit_code == 0, (result.output, result.exception)
        (scored,) = json.loads(report.read_text())["systems"]
        assert (scored["overall"]["right"], scored["overall"]["of"]) == (right, len(lines))


def test_what_reviewers_said_is_kept_to(folder: Path, tmp_path: Path) -> None:
    first, second, third = list(items_of(folder / "03-split.jsonl"))[:3]
    said = {"answer": "yes", "information": "yes", "av_dependency": "no", "difficulty": 2}
    mended = Mended(question="Mended?", options=("no", "yes"), answer="yes")
    reviews = [
        Review.model_validate({"rater": "a", "item": first.id, "verdict": "reject", **said}),
        Review.model_validate(
            {"rater": "a", "item": second.id, "verdict": "fix", "mended": mended, **said}
        ),
        Review.model_validate({"rater": "a", "item": third.id, "verdict": "keep", **said}),
        Review.model_validate({"rater": "b", "item": third.id, "verdict": "reject", **said}),
    ]
    path = folder / "reviews.jsonl"
    path.write_text("".join(f"{review.line()}\n" for review in reviews))
    try:
        exported(folder, tmp_path / "after", "--form", "questions")
        exported(folder, tmp_path / "before", "--form", "questions", "--unreviewed")
    finally:
        path.unlink()
    after, before = (
        QUESTIONS.read((tmp_path / name / "questions.jsonl").read_text().splitlines())[1]
        for name in ("after", "before")
    )
    assert len(after) == len(before) - 1
    assert first.id not in {one.id for one in after}
    assert after[0].question == "Mended?"
    assert (after[0].provenance or {})["flags"] == ["mended", "reviewed"]
    assert (after[1].provenance or {})["flags"] == ["reviewed"]


@pytest.mark.parametrize("said", [("--form", "csv"), ("--split", "none", "--form", "jointav")])
def test_a_form_that_is_none_is_refused_and_no_item_is_no_fault(
    folder: Path, tmp_path: Path, said: tuple[str, ...]
) -> None:
    result = CliRunner().invoke(application(), ["export", str(folder), str(tmp_path), *said])
    if "csv" in said:
        assert "--form csv: choose from" in str(result.exception)
    else:
        assert json.loads((tmp_path / "jointavbench.json").read_text()) == []
