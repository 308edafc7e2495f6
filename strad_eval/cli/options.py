"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from strad_eval.readings import PRESETS

References: TypeAlias = Annotated[
    Path, typer.Argument(metavar="REFS", help="References: a manifest, or any format of convert.")
]
PredictionsFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="PREDS", help="Predictions: JSONL, or any format of convert.")
]
Efficiency: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="LOG", help="Efficiency log (JSONL), for RTF and LAG.")
]
Compat: TypeAlias = Annotated[
    str, typer.Option(help=f"Whose reading of the metrics: {', '.join(PRESETS)}.")
]
Reading: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Change one reading (docs/metrics.md); repeatable."),
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
JsonTo: TypeAlias = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON.")
]
MarkdownTo: TypeAlias = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write it as Markdown.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", help="No table.")]
