"""``strad-eval mcq``: score models' raw answers to a benchmark's questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias, get_args

import typer
from rich.console import Console

from strad.text_file import refuse_output, write_text
from strad_eval.cli.options import Force, JsonTo, MarkdownTo, Quiet
from strad_eval.mcq.questions import Benchmark
from strad_eval.mcq.report import mcq_sheet
from strad_eval.mcq.scoring import QuestionSet, checked, score_answers
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
    json_to: JsonTo = None,
    markdown_to: MarkdownTo = None,
    quiet: Quiet = False,
    force: Force = False,
) -> None:
    """Score each file of raw ANSWERS, side by side: overall and by group.

    Answers are JSONL: id and output, and the order in which options were shown, if it was another.
    """
    for path in (json_to, markdown_to):
        if path is not None:
            refuse_output(path, overwrite=force, option="--force")
    set_ = QuestionSet(questions, checked(benchmark), answer_key, tuple(reading or ()))
    document = score_answers(set_, answers, bertscore_model)
    sheet = mcq_sheet(document)
    if json_to is not None:
        write_text(json_to, dump(document), overwrite=force)
    if markdown_to is not None:
        write_text(markdown_to, markdown_sheet(sheet), overwrite=force)
    if not quiet:
        print_sheet(sheet, Console())
