"""Options of the metrics that need models or judges."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from strad_eval.segments.wanted import ROLES

ActionsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--actions", metavar="CSV", help="Gold actions (ActionScore).")
]
Model: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="ROLE=NAME", help=f"A folder or a hub's name, for {', '.join(ROLES)}."),
]
Url: TypeAlias = Annotated[
    str, typer.Option("--judge-url", metavar="URL", help="An OpenAI-compatible server, with /v1.")
]
Answers: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keeps the judges' answers: resume from there.")
]
