"""``strad-eval bundle``: a score and all it was made from, in one archive."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strad.errors import InputError
from strad.text_file import refuse_output
from strad_eval.archive import EFFICIENCY, PREDICTIONS, REFERENCES, pack
from strad_eval.cli.options import Compat, Efficiency, Force, PredictionsFile, Reading, References
from strad_eval.reports.document import dump
from strad_eval.scoring import Choice, Files, score_files


def bundle(
    refs: References,
    preds: PredictionsFile,
    out: Annotated[Path, typer.Argument(metavar="OUT.zip", help="The archive to write.")],
    efficiency: Efficiency = None,
    hardware: Annotated[
        str, typer.Option(help="What the descriptions were made on, e.g. '1 A100 80 GB, batch 1'.")
    ] = "",
    with_refs: Annotated[
        bool, typer.Option("--with-refs", help="Put the references in too, if you may share them.")
    ] = False,
    compat: Compat = "strad",
    reading: Reading = None,
    force: Force = False,
) -> None:
    """Score, and pack predictions, efficiency log, hardware, readings and report into OUT.zip.

    Anyone with the same references can run verify on it. The references themselves stay out,
    unless you ask for them: only their SHA-256 is in the report.
    """
    if efficiency is not None and not hardware:
        raise InputError("an efficiency log means nothing without --hardware: say what it ran on")
    if with_refs and refs.suffix.lower() in (".vtt", ".srt"):
        raise InputError(f"{refs}: its name is its video's id: convert it to a manifest first")
    refuse_output(out, overwrite=force, option="--force")
    _, document = score_files(Files(refs, preds, efficiency), Choice(compat, tuple(reading or ())))
    files = {PREDICTIONS: preds}
    if efficiency is not None:
        files[EFFICIENCY] = efficiency
    if with_refs:
        files[REFERENCES] = refs
    made = {"described_on": hardware, "scored_on": f"{platform.machine()} {platform.system()}"}
    draft = out.with_name(f".{out.name}.part")
    draft.unlink(missing_ok=True)
    try:
        pack(draft, dump(document), made, files)
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    Console().print(f"wrote {out}", markup=False)
