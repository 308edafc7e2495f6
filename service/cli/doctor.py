"""``strad doctor``: what is here, and why not."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.checkup import Finding, State, check_up
from service.configuration import read_settings
from service.loading import weights_for

STYLES = {State.OK: "green", State.PARTLY: "yellow", State.MISSING: "red"}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Say what this machine can do: codecs, VAD, ASR, describers, GPU, memory, model hub.

    Exits with 1 when something is missing without which nothing can be described.
    """
    weights = weights_for(read_settings(os.environ))
    findings = list(check_up(weights))
    if as_json:
        sys.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2) + "\n")
    else:
        Console().print(_table(findings))
    if any(f.needed and f.state is State.MISSING for f in findings):
        raise typer.Exit(1)


def _table(findings: list[Finding]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("part", "state", "what is there, or what to do"):
        table.add_column(title)
    for finding in findings:
        style = STYLES[finding.state]
        table.add_row(finding.part, Text(finding.state, style), Text(finding.detail))
    return table
