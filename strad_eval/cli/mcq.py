"""``strad-eval mcq``: score models' raw answers to a benchmark's questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_args

import typer
from rich.console import Console

from strad.errors import InputError, MissingModelError
from strad.text_file import refuse_output, write_text
from strad_eval.cli.options import Force
from strad_eval.mcq.item import Item
from strad_eval.mcq.questions import Benchmark, read_questions
from strad_eval.mcq.readings import mcq_readings
from strad_eval.mcq.replies import read_replies
from strad_eval.mcq.report import McqMade, mcq_document, mcq_sheet
from strad_eval.mcq.score import McqScore, raw_pairs, score_replies
from strad_eval.neural.bertscore import BertScore
from strad_eval.neural.checkpoint import load_checkpoint
from strad_eval.provenance import fingerprint, versions
from strad_eval.reports.document import dump
from strad_eval.reports.sheet import markdown_sheet, print_sheet

QuestionsFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="QUESTIONS", help="Ours, or the benchmark's own file.")
]
BenchmarkName: TypeAlias = Annotated[
    str, typer.Option("--benchmark", help=f"Whose scoring: {', '.join(get_args(Benchmark))}.")
]
AnswerKeyFile: TypeAlias = Annotated[
    Path | None, typer.Option("--answer-key", metavar="FILE", help="Where answers are kept apart.")
]
McqReading: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--reading", metavar="NAME=VALUE", help="Change one reading (docs/metrics-questions.md)."
    ),
]


def mcq(
    questions: QuestionsFile,
    answers: Annotated[
        list[Path], typer.Argument(metavar="ANSWERS...", help="One file a model or way of showing.")
    ],
    benchmark: BenchmarkName,
    answer_key: AnswerKeyFile = None,
    reading: McqReading = None,
    bertscore_model: Annotated[
        str, typer.Option(metavar="MODEL", help="BERTScore of raw answers, by this model.")
    ] = "",
    json_to: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON.")
    ] = None,
    markdown_to: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write it as Markdown.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No table.")] = False,
    force: Force = False,
) -> None:
    """Score each file of raw ANSWERS, side by side: overall and by group.

    Answers are JSONL: id and output, and the order in which options were shown, if it was another.
    """
    for path in (json_to, markdown_to):
        if path is not None:
            refuse_output(path, overwrite=force)
    set_ = QuestionSet(questions, checked(benchmark), answer_key, tuple(reading or ()))
    document = score_answers(set_, answers, bertscore_model)
    sheet = mcq_sheet(document)
    if json_to is not None:
        write_text(json_to, dump(document), overwrite=force)
    if markdown_to is not None:
        write_text(markdown_to, markdown_sheet(sheet), overwrite=force)
    if not quiet:
        print_sheet(sheet, Console())


def checked(benchmark: str) -> Benchmark:
    """The benchmark of that name. Raises InputError."""
    known: dict[str, Benchmark] = {"cinepile": "cinepile", "jointav": "jointav"}
    if benchmark not in known:
        raise InputError(f"--benchmark {benchmark}: choose from {', '.join(known)}")
    return known[benchmark]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, whose they are, and how their answers are read."""

    path: Path
    benchmark: Benchmark
    key: Path | None = None
    changes: tuple[str, ...] = ()

    def read(self) -> list[Item]:
        """Raises the readers' errors."""
        return read_questions(self.path, self.benchmark, mcq_readings(self.changes), self.key)


def score_answers(
    given: QuestionSet, answers: Sequence[Path], bertscore_model: str = ""
) -> dict[str, Any]:
    """The report on these files."""
    readings, benchmark = mcq_readings(given.changes), given.benchmark
    items = given.read()
    ignore = readings.unknown == "ignore"
    scores = []
    for path in answers:
        replies = read_replies(path, items, ignore_unknown=ignore)
        scores.append(score_replies(items, replies, benchmark, readings))
    models = _bertscore(items, scores, bertscore_model) if bertscore_model else {}
    inputs = {"questions": fingerprint(given.path)}
    inputs |= {f"answers {path.stem}": fingerprint(path) for path in answers}
    made = McqMade(benchmark, readings, inputs, versions(), models)
    return mcq_document(items, scores, made)


def _bertscore(items: Sequence[Item], scores: Sequence[McqScore], name: str) -> dict[str, str]:
    """Add it to each score; what the report says of the model, or why there is none."""
    try:
        model = BertScore(load_checkpoint(name))
    except MissingModelError as error:
        return {"BERTScore": f"not scored: {error}"}
    for one in scores:
        values = model.pairs(raw_pairs(items, one.replies))
        one.texts["BERTScore"] = sum(values) / len(values)
    return {"BERTScore": model.said}
