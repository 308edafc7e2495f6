"""The report's figures on sets whose figures are known, and its page."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from question_generation.cli.main import application
from question_generation.item import Item, Rate
from question_generation.quality import quality_of, span_of
from tests.question_generation.plain_pipeline import FromText, made, write_scenes

pytestmark = pytest.mark.unit


def item(name: str, options: tuple[str, ...], answer: str, question: str = "What is it?") -> Item:
    return Item(id=name, video_id="v", question=question, answer=answer, options=options)


def test_what_gives_answers_away_is_counted() -> None:
    found = quality_of(
        [
            item("a", ("red", "a very long dog"), "a very long dog", "Which dog barks?"),
            item("b", ("cat", "dog", "fox"), "dog", "Which dog barks?"),
            item("c", ("aa", "bb"), "aa", "Which big brown dog barks at night outside?"),
            item("d", ("aa", "bb"), "bb", "Which big brown dog barks at night outside now?"),
        ]
    ).told()
    assert found["longest_is_right"] == 0.25
    assert found["by_chance"] == pytest.approx((1 / 2 + 1 / 3 + 1 / 2 + 1 / 2) / 4, abs=1e-4)
    assert found["overlap_with_question"]["right option"] == pytest.approx(
        (1 / 3 + 1) / 4, abs=1e-3
    )
    assert found["overlap_with_question"]["wrong options"] == 0
    assert found["duplicates"] == {"same": 1, "near": 1}
    assert found["balance"]["answer position"] == {"A": 1, "B": 3}


def test_balance_and_answerers_are_summed_up() -> None:
    one = item("a", ("x", "y"), "x").measured({"blind": Rate(model="m", right=3, asked=5)})
    two = item("b", ("x", "y"), "x").measured({"blind": Rate(model="m", right=1, asked=5)})
    found = quality_of(
        [
            one.model_copy(update={"category": "Temporal", "segment": (0.0, 30.0), "hard": True}),
            two.flagged("degenerate").model_copy(update={"segment": (0.0, 700.0)}),
        ]
    ).told()
    assert found["answerers"]["blind"] == {"right": 4, "asked": 10, "share": 0.4}
    assert found["balance"]["category"] == {"Temporal": 1}
    assert found["balance"]["flags"] == {"degenerate": 1}
    assert found["balance"]["hard"] == {"yes": 1}
    assert found["balance"]["span"] == {span_of(700): 1, span_of(30): 1}


def test_an_empty_set_has_figures_too() -> None:
    found = quality_of([]).told()
    assert found["items"] == 0
    assert found["longest_is_right"] is None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    home = tmp_path_factory.mktemp("report")
    source = write_scenes(home / "scenes.jsonl", 60)
    asyncio.run(made(home / "run", source, FromText(broken=10)))
    return home / "run"


def test_the_report_is_a_page_that_stands_alone_and_figures(folder: Path) -> None:
    result = CliRunner().invoke(application(), ["report", str(folder), "--samples", "3"])
    assert result.exit_code == 0, result.output
    page, told = (
        (folder / "report.html").read_text(),
        json.loads((folder / "report.json").read_text()),
    )
    assert page.count("<article>") == 3
    assert 'aria-label="A: ' in page
    assert "nothing is described: 6" in page
    assert "http" not in page
    assert told["quality"]["items"] == told["steps"][-1]["out"]
    assert sum(told["quality"]["balance"]["answer position"].values()) == told["quality"]["items"]
    assert told["cost"][0]["requests"] > 0


def test_a_folder_without_a_run_that_has_ended_is_told_so(folder: Path, tmp_path: Path) -> None:
    for path, says in ((tmp_path, "no run in it"), (_unended(folder, tmp_path), "has not ended")):
        result = CliRunner().invoke(application(), ["report", str(path)])
        assert says in str(result.exception)


def _unended(folder: Path, home: Path) -> Path:
    half = home / "half"
    half.mkdir()
    for name in ("run.json", "00-source.json", "01-write.json"):
        (half / name).write_bytes((folder / name).read_bytes())
    return half
