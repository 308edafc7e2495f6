"""``strad-eval``: every command, and how errors end it: one line, exit 2 for input, 1 for work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from strad.program import run_program
from strad_eval.cli.ask import ask
from strad_eval.cli.bundle import bundle
from strad_eval.cli.compare import compare
from strad_eval.cli.convert import convert
from strad_eval.cli.mcq import mcq
from strad_eval.cli.segment import document, segment
from strad_eval.cli.stream import stream
from strad_eval.cli.study import correlate, study
from strad_eval.cli.verify import verify

COMMANDS: dict[str, Callable[..., Any]] = {
    "stream": stream,
    "segment": segment,
    "document": document,
    "mcq": mcq,
    "ask": ask,
    "study": study,
    "correlate": correlate,
    "convert": convert,
    "compare": compare,
    "bundle": bundle,
    "verify": verify,
}


def application() -> typer.Typer:
    """All commands as one program."""
    app = typer.Typer(
        help="Scores of audio descriptions: the papers' numbers, exactly, with the doubts named.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    for name, command in COMMANDS.items():
        app.command(name)(command)
    return app


def main() -> None:
    """The program's entry."""
    run_program("strad-eval", application())
