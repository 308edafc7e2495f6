"""``strad-eval stream``: score a system's descriptions of whole videos."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strad.text_file import refuse_output, write_text
from strad_eval.cli.model_options import ActionsFile, Answers, Model, Url
from strad_eval.cli.options import (
    Compat,
    Efficiency,
    Force,
    JsonTo,
    MarkdownTo,
    PredictionsFile,
    Quiet,
    Reading,
    References,
)
from strad_eval.cli.server_options import AtOnce, Extra, Key, members
from strad_eval.pair_values import Ask
from strad_eval.readings import readings
from strad_eval.reports.document import dump
from strad_eval.reports.html import html
from strad_eval.reports.markdown import markdown
from strad_eval.reports.table import print_table
from strad_eval.scoring import Choice, Files, score_files
from strad_eval.segments.files import SegmentFiles
from strad_eval.segments.of_stream import ask_pairs
from strad_eval.segments.wanted import OF_PAIRS, JudgeServer, Wanted, check, models


def stream(
    refs: References,
    preds: PredictionsFile,
    efficiency: Efficiency = None,
    compat: Compat = "strad",
    reading: Reading = None,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="METRIC", help=f"With models, too: {', '.join(OF_PAIRS)}."),
    ] = None,
    actions: ActionsFile = None,
    model: Model = None,
    judge_url: Url = "",
    key: Key = None,
    extra: Extra = "",
    answers: Answers = None,
    at_once: AtOnce = 8,
    json_to: JsonTo = None,
    markdown_to: MarkdownTo = None,
    html_to: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write one HTML page with plots.")
    ] = None,
    by_video: Annotated[bool, typer.Option("--by-video", help="A row a video, too.")] = False,
    quiet: Quiet = False,
    force: Force = False,
) -> None:
    """Score PREDS against REFS: SODA, CIDEr, METEOR, recall, precision, REP, OL, RTF, LAG and more.

    Everything the papers leave open is a reading with a name; the report prints them all.
    Without Java, METEOR and SODA are left out and said to be; likewise what a missing model would
    score.
    """
    for path in (json_to, markdown_to, html_to):
        if path is not None:
            refuse_output(path, overwrite=force, option="--force")
    choice = Choice(compat, tuple(reading or ()))
    server = JudgeServer(judge_url, key, answers, at_once, members(extra))
    wanted = Wanted(tuple(with_ or ()), models(tuple(model or ())), server)
    check(wanted, SegmentFiles(refs, preds, actions=actions), OF_PAIRS)
    result, document = score_files(
        Files(refs, preds, efficiency), choice, _asking(choice, wanted, actions)
    )
    if json_to is not None:
        write_text(json_to, dump(document), overwrite=force)
    if markdown_to is not None:
        write_text(markdown_to, markdown(document), overwrite=force)
    if html_to is not None:
        write_text(html_to, html(document, result.material.programmes), overwrite=force)
    if not quiet:
        print_table(document, Console(), by_video=by_video)
    else:
        for line in document["not_scored"]:
            Console(stderr=True).print(f"strad-eval: {line}", markup=False)


def _asking(choice: Choice, wanted: Wanted, actions: Path | None) -> Ask | None:
    if not wanted.metrics:
        return None
    chosen = readings(choice.compat, choice.changes)
    return lambda counted: ask_pairs(counted, chosen, wanted, actions)
