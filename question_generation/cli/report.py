"""``strad-qa report``: what a run made, in figures, plots and samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.quality_report import report_on
from question_generation.report_page import report_page
from question_generation.run_folder import RunFolder, sampled
from strad.counted import counted
from strad.text_file import refuse_output, write_text


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run's.")],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="By default FOLDER/report.html.")
    ] = None,
    json_to: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="By default FOLDER/report.json."),
    ] = None,
    samples: Annotated[int, typer.Option(min=0, max=1000, help="Items shown.")] = 25,
    seed: Annotated[int, typer.Option(help="Of the samples.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Write the quality report of a run: HTML with plots and samples, and JSON.

    Counts through each step with reasons, cost, balance of categories, spans and answer positions,
    how often the longest option is right, words that question and answer share, doubles.
    """
    page, figures = html or folder / "report.html", json_to or folder / "report.json"
    run = RunFolder(folder)
    run.counts()
    for path in (page, figures):
        refuse_output(path, overwrite=force or path.parent == folder, option="--force")
    found = report_on(run)
    shown = sampled(run.items(), samples, seed)
    text = json.dumps(found, indent=1, ensure_ascii=False)
    write_text(figures, f"{text}\n", overwrite=True)
    write_text(page, report_page(found, shown), overwrite=True)
    said = f"{counted(found['quality']['items'], 'item')}: {page}, {figures}"
    Console().print(said, markup=False, highlight=False)
