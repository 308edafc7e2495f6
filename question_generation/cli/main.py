"""``strad-qa``: every command, and how errors end it: one line, exit 2 for input, 1 for work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from question_generation.cli.bank import bank
from question_generation.cli.classify import classify
from question_generation.cli.export import export
from question_generation.cli.locate import locate_clips
from question_generation.cli.report import report
from question_generation.cli.review import review
from question_generation.cli.run import run
from question_generation.cli.study import study
from question_generation.cli.templates import templates
from question_generation.cli.train_classifier import train_classifier
from strad.program import run_program

COMMANDS: dict[str, Callable[..., Any]] = {
    "run": run,
    "report": report,
    "review": review,
    "study": study,
    "export": export,
    "classify": classify,
    "locate": locate_clips,
    "train-classifier": train_classifier,
    "templates": templates,
    "bank": bank,
}


def application() -> typer.Typer:
    """All commands as one program."""
    app = typer.Typer(
        help="Multiple-choice questions about films, made from what is seen and said, checked and"
        " measured: CinePile's way and JointAVBench's (docs/question-generation.md).",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    for name, command in COMMANDS.items():
        app.command(name)(command)
    return app


def main() -> None:
    """The program's entry."""
    run_program("strad-qa", application())
