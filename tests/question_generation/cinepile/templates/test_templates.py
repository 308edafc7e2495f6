"""``strad-qa templates`` and ``bank``: from people's questions to a bank that makes questions."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from question_generation.cinepile.template import own_bank, read_bank
from question_generation.cinepile.templates.human_question import HumanQuestion
from question_generation.cinepile.templates.pipeline import pipeline
from question_generation.cinepile.templates.proposals import Proposal, Told, fault
from question_generation.cinepile.templates.review_file import COLUMNS, kept, review_text
from question_generation.cinepile.templates.unname import Unname, UnnameByRule
from question_generation.cli.main import application
from question_generation.drop import Drop
from question_generation.embeddings.choose import embedder
from question_generation.step_files import all_of
from strad.errors import FormatError, InputError
from strad.record import parse_record
from strad_engines.messages import Generated, Message, Sampling
from tests.question_generation.at_hand import answer, desk, said
from tests.question_generation.cinepile.templates.asked import asked
from tests.question_generation.http_models import serving

pytestmark = pytest.mark.service

GOOD = {
    "name": "Quiet Theft",
    "category": "NPA",
    "template": "What does [person] take from [place]?",
    "prototype": "What does the clerk take from the safe?",
}


def strad_qa(*said: object) -> Result:
    return CliRunner().invoke(application(), [str(word) for word in said])


class Namer:
    """A model that makes kinds of the questions it is shown; one answer in three is broken."""

    name = "namer"

    def __init__(self) -> None:
        self.asked = 0

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        self.asked += 1
        shown = [line[2:] for line in said(messages[1:2]).splitlines() if line.startswith("- ")]
        if self.asked % 3 == 1 and len(messages) == 2:
            return answer(templates=[GOOD])
        words = [question.rstrip("?").split() for question in shown]
        told = [
            {
                "name": f"Kind {words[at % len(words)][0]} {at}",
                "category": ("crd", "TEMP", "STA", "TH")[at],
                "template": f"{' '.join(words[at % len(words)][:-1])} [object] {at}?",
                "prototype": f"{' '.join(words[at % len(words)])}?",
                "needs": "something to be seen",
            }
            for at in range(4)
        ]
        return answer(templates=told)


def written(path: Path, count: int) -> Path:
    lines = [
        json.dumps({"id": f"q{at}", "question": question, "source": "ab"[at % 5 == 0]})
        for at, (question, _) in enumerate(asked(3)[:count])
    ]
    path.write_text("".join(f"{line}\n" for line in [*lines, lines[0].replace("q0", "double")]))
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


def saved(path: Path, rows: Sequence[dict[str, str]]) -> Path:
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)
    return path


def test_questions_become_templates_that_a_person_keeps_and_a_run_uses(tmp_path: Path) -> None:
    source, run = written(tmp_path / "asked.jsonl", 120), tmp_path / "run"
    with serving({"namer": Namer()}) as (url, server):
        command = ("templates", source, run, "--engine", f"openai:{url}", "--model", "namer")
        command += ("--clusters", "6", "--source", "a=3", "--embedder", "words")
        command += ("--price", "*=1,2", "--at-once", "1")
        done = strad_qa(*command)
        assert done.exit_code == 0, done.exception
        asked_for = server.asked
        assert asked_for >= 9
        assert strad_qa(*command).stdout == done.stdout
        assert server.asked == asked_for
        other = strad_qa(*command, "--nearest").exception
    assert isinstance(other, InputError)
    told = {one["step"]: one for one in all_of(run)}
    assert told["distinct"]["dropped"]["asked before"] >= 1
    assert (told["clusters"]["in"], told["clusters"]["out"]) == (told["distinct"]["out"], 9)
    assert told["proposals"]["out"] == 36
    assert told["proposals"]["spent"]["namer"]["cost"] > 0
    rows = rows_of(run / "templates.csv")
    assert len(rows) == told["compare"]["out"]
    assert {row["keep"] for row in rows} == {""}
    assert all(row["questions"] and row["like"] and row["likeness"] for row in rows)
    assert isinstance(strad_qa("bank", run / "templates.csv", tmp_path / "b").exception, InputError)
    rows[0] |= {"keep": "yes", "name": "Mended"}
    rows[1] |= {"keep": "Y"}
    rows[2] |= {"keep": "no"}
    saved(run / "templates.csv", rows)
    with serving({"namer": Namer()}) as (url, server):
        again = [f"openai:{url}" if str(word).startswith("openai:") else word for word in command]
        assert "Kept as it is" in strad_qa(*again).stdout
        assert server.asked == 0
        assert not (run / "templates.new.csv").exists()
    bank = tmp_path / "bank.jsonl"
    assert strad_qa("bank", run / "templates.csv", bank).exit_code == 0
    assert [one.name for one in read_bank(bank).templates] == ["Mended", rows[1]["name"]]
    assert strad_qa("bank", run / "templates.csv", bank, "--own", "--force").exit_code == 0
    assert len(read_bank(bank).templates) == 2 + len(own_bank().templates)
    roles = ("run", "cinepile", source, tmp_path / "r", "--roles", "--templates", bank)
    assert strad_qa(*roles).exit_code == 0


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"keep": "perhaps"}, "write yes or no"),
        ({"category": "XYZ"}, "category"),
        ({"template": " "}, "template"),
        ({"name": "B"}, "two templates are called 'B'"),
    ],
)
def test_a_review_that_cannot_be_is_refused_with_its_line(
    tmp_path: Path, changed: dict[str, str], says: str
) -> None:
    row = {**dict.fromkeys(COLUMNS, ""), **GOOD, "keep": "yes", "kind": "reasoning"}
    path = saved(tmp_path / "t.csv", [{**row, "name": "B"}, {**row, "keep": "1", **changed}])
    with pytest.raises(FormatError, match=says) as refused:
        kept(path)
    assert ":3" in str(refused.value)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="no column 'keep'"):
        kept(tmp_path / "other.csv")


def unspaced(*said: object) -> str:
    """What it says, wherever its lines are broken."""
    return "".join(strad_qa(*said).stdout.split())


def test_new_proposals_lie_beside_a_review_that_was_worked_on(tmp_path: Path) -> None:
    source, run = written(tmp_path / "asked.jsonl", 60), tmp_path / "run"
    review, new = run / "templates.csv", run / "templates.new.csv"
    with serving({"namer": Namer()}) as (url, _):
        command = ("templates", source, run, "--engine", f"openai:{url}", "--model", "namer")
        command += ("--clusters", "2", "--embedder", "words")
        assert f"Review:{review}" in unspaced(*command)
        (run / ".templates.csv.sha256").unlink()  # as a process killed between both leaves them
        assert f"Review:{review}" in unspaced(*command)
        rows = rows_of(review)
        rows[0]["keep"] = "yes"
        saved(review, rows)
        assert f"proposednow:{new}" in unspaced(*command, "--limit", "30")
        assert (rows_of(review), rows_of(new) == rows) == (rows, False)


def test_a_quote_that_nothing_closes_takes_no_rows_with_it(tmp_path: Path) -> None:
    row = {**dict.fromkeys(COLUMNS, ""), **GOOD, "keep": "yes", "kind": "reasoning"}
    path = saved(tmp_path / "t.csv", [row])
    assert len(kept(path)) == 1
    for broken in ('yes,"B', 'yes,"B" or C,x', f"yes,{'x' * 200_000}"):
        saved(path, [row])
        path.write_text(f"{path.read_text()}{broken}\n{path.read_text()}")
        with pytest.raises(FormatError, match=r"t\.csv:\d+"):
            kept(path)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({}, ""),
        ({"template": "What does the clerk take?"}, "slots"),
        ({"template": "What does [person take?"}, "slots"),
        ({"prototype": "What does [person] take?"}, "prototype"),
        ({"prototype": "The clerk takes it."}, "prototype"),
        ({"category": "Plot"}, "category"),
        ({"name": " ** "}, "without words"),
    ],
)
def test_a_template_has_slots_and_a_prototype_none(changed: dict[str, str], says: str) -> None:
    found = fault(Told(**{**GOOD, **changed}))
    assert bool(found) == bool(says)
    assert says in found


def test_what_was_meant_for_cells_is_not_run_by_a_spreadsheet(tmp_path: Path) -> None:
    told = {**GOOD, "name": "=1+1", "id": "a-1", "cluster": "a", "source": "a"}
    proposal = parse_record(Proposal, json.dumps({**told, "size": 1, "shown": ["=x"]}))
    path = tmp_path / "t.csv"
    path.write_bytes(review_text([proposal]).encode())
    (row,) = rows_of(path)
    assert (row["name"], row["questions"]) == ("'=1+1", "'=x")
    saved(path, [{**row, "keep": "yes"}])
    assert [one.name for one in kept(path)] == ["=1+1"]


def test_names_may_be_replaced_by_a_model_and_what_it_leaves_by_rules() -> None:
    record = HumanQuestion(id="q", question="Why does Ann hit Bob?")
    with desk([answer(question=""), answer(question="Why does she hit Bob?")], "renamer") as at:
        found = asyncio.run(Unname().work(record, at))
    assert not isinstance(found, Drop)
    assert found[0].question == "Why does she hit someone?"
    assert found[0].asked == record.question
    assert found[0].provenance[0].tries == 2
    long = record.model_copy(update={"question": "Why? " * 200})
    with desk([]) as at:
        dropped = asyncio.run(UnnameByRule().work(long, at))
    assert isinstance(dropped, Drop)


def test_every_step_can_be_sent_to_another_process() -> None:
    for names_by_model in (True, False):
        for step in pipeline(embedder("both"), names_by_model=names_by_model).steps:
            assert pickle.loads(pickle.dumps(step)) == step
    with pytest.raises(InputError, match="no embedder 'bert'"):
        embedder("bert")
