"""``strad-train``: every command, and how errors end it: one line, exit 2 for input, 1 for work."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import typer

from strad.program import run_program
from training.cli.ablate import ablate
from training.cli.corrections import corrections
from training.cli.export import export
from training.cli.fit import fit
from training.cli.prepare import prepare
from training.cli.sheet import sheet
from training.cli.sweep import sweep

COMMANDS: dict[str, Callable[..., Any]] = {
    "prepare": prepare,
    "sheet": sheet,
    "fit": fit,
    "sweep": sweep,
    "ablate": ablate,
    "export": export,
    "corrections": corrections,
}


def application() -> typer.Typer:
    """All commands as one program."""
    app = typer.Typer(
        help="Training StrAD-FT: annotated films to examples, examples to weights that serve"
        " (docs/training.md).",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_program)
    for name, command in COMMANDS.items():
        app.command(name)(command)
    return app


def _program() -> None:
    pass


def main() -> None:
    """The program's entry."""
    # What an engine runs on is of no interest here.
    logging.getLogger("strad_engines").addHandler(logging.NullHandler())
    run_program("strad-train", application())
