"""``strad-eval segment`` and ``document``: one description for each reference."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import Console

from strad.text_file import refuse_output, write_text
from strad_eval.cli.model_options import ActionsFile, Answers, Model, Url
from strad_eval.cli.options import Force, JsonTo, MarkdownTo, Quiet, References
from strad_eval.cli.server_options import AtOnce, Extra, Key, members
from strad_eval.provenance import versions
from strad_eval.reports.document import dump
from strad_eval.reports.sheet import markdown_sheet, print_sheet
from strad_eval.segments.files import SegmentFiles, read_pairs
from strad_eval.segments.in_full import add_stream_figures
from strad_eval.segments.readings import PRESETS, segment_readings
from strad_eval.segments.report import Made, segment_document, segment_sheet
from strad_eval.segments.score import score_segments
from strad_eval.segments.wanted import COSTLY, JudgeServer, Wanted, check, gather, models

Preds: TypeAlias = Annotated[
    Path | None,
    typer.Argument(metavar="[PREDS]", help="Predictions; not needed where REFS holds them too."),
]
Compat: TypeAlias = Annotated[str, typer.Option(help=f"Whose reading: {', '.join(PRESETS)}.")]
Reading: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Change one reading (docs/metrics-segment.md)."),
]
With: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="METRIC", help=f"With models, too: {', '.join(COSTLY)}."),
]
Films: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="JSON", help="Each video's IMDb id, where REFS has none.")
]
CastsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--casts", metavar="JSON", help="Each film's characters (CRITIC).")
]


@dataclass(frozen=True, slots=True)
class Out:
    """Where a report goes."""

    json_to: Path | None
    markdown_to: Path | None
    quiet: bool
    force: bool

    def refuse(self) -> None:
        """Raise InputError before the work for what may not be written."""
        for path in (self.json_to, self.markdown_to):
            if path is not None:
                refuse_output(path, overwrite=self.force, option="--force")


def _command(what: str, does: str) -> Callable[..., None]:
    def command(
        refs: References,
        preds: Preds = None,
        compat: Compat = "strad",
        reading: Reading = None,
        with_: With = None,
        films: Films = None,
        casts: CastsFile = None,
        actions: ActionsFile = None,
        model: Model = None,
        judge_url: Url = "",
        key: Key = None,
        extra: Extra = "",
        answers: Answers = None,
        at_once: AtOnce = 8,
        json_to: JsonTo = None,
        markdown_to: MarkdownTo = None,
        quiet: Quiet = False,
        force: Force = False,
    ) -> None:
        files = SegmentFiles(refs, preds, films, casts, actions)
        server = JudgeServer(judge_url, key, answers, at_once, members(extra))
        wanted = Wanted(tuple(with_ or ()), models(tuple(model or ())), server)
        out = Out(json_to, markdown_to, quiet, force)
        _score(what, files, wanted, (compat, tuple(reading or ())), out)

    command.__doc__ = does
    return command


def _score(
    what: str, files: SegmentFiles, wanted: Wanted, chosen: tuple[str, tuple[str, ...]], out: Out
) -> None:
    out.refuse()
    check(wanted, files)
    readings = segment_readings(*chosen)
    rows = read_pairs(files, readings, in_time=what == "document")
    with ExitStack() as running:
        given = gather(rows, readings, wanted, files, running)
        result = score_segments(rows, readings, given)
    made = Made(what, chosen[0], files.fingerprints(), versions(), given.models)
    document = segment_document(result, made)
    if what == "document":
        add_stream_figures(document, files)
    report(document, out)


def report(document: dict[str, Any], out: Out) -> None:
    """Write and show it."""
    sheet = segment_sheet(document)
    if out.json_to is not None:
        write_text(out.json_to, dump(document), overwrite=out.force)
    if out.markdown_to is not None:
        write_text(out.markdown_to, markdown_sheet(sheet), overwrite=out.force)
    if not out.quiet:
        print_sheet(sheet, Console())
    else:
        for line in document["not_scored"]:
            Console(stderr=True).print(f"strad-eval: {line}", markup=False)


segment = _command(
    "segment",
    "Score descriptions whose times were given: CIDEr, METEOR, ROUGE-L; more with --with.\n\n"
    "Without Java, METEOR is left out and said to be; likewise what a missing model would score.",
)
document = _command(
    "document",
    "Score descriptions of whole videos, made with all of each video at hand.\n\n"
    "A reference is paired with at most one prediction, in time order, by overlap; then as segment."
    " The figures of stream over whole videos stand beside them.",
)
