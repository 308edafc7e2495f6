"""``strad-eval convert``: one format to another."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strad.errors import InputError
from strad.text_file import refuse_output, write_text
from strad_eval.cli.options import Force
from strad_eval.inputs.content import Content, Options
from strad_eval.inputs.formats import FORMATS, read_any
from strad_eval.outputs import WRITERS


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The file to read.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    to: Annotated[str, typer.Option("--to", help=f"Its format: {', '.join(WRITERS)}.")],
    from_: Annotated[
        str | None,
        typer.Option("--from", help=f"IN's format, else by its look: {', '.join(FORMATS)}."),
    ] = None,
    video_id: Annotated[
        str | None, typer.Option(help="The video: of a WebVTT or SRT file, or to keep only this.")
    ] = None,
    duration: Annotated[
        float | None, typer.Option(min=0.001, help="The videos' length in s, where not known.")
    ] = None,
    swap_reversed: Annotated[
        bool, typer.Option("--swap-reversed", help="Turn events round that end before they start.")
    ] = False,
    force: Force = False,
) -> None:
    """Write IN as another format. Every refusal names file and line; nothing is half-written."""
    if to not in WRITERS:
        raise InputError(f"--to {to}: choose from {', '.join(WRITERS)}")
    refuse_output(out, overwrite=force, option="--force")
    options = Options(video_id, duration, "swap" if swap_reversed else "refuse")
    content = read_any(source, options, from_)
    if video_id is not None:
        content = _only(content, video_id)
    write_text(out, WRITERS[to](content), overwrite=force)
    for count, what in (
        (content.swapped, "events ended before they started and were turned round"),
        (content.cut, "widened events began before 0 and now begin there"),
    ):
        if count:
            Console(stderr=True).print(f"{count} {what}", markup=False)


def _only(content: Content, video: str) -> Content:
    manifest, predictions = content.manifest, content.predictions
    if manifest is not None:
        kept = tuple(v for v in manifest.videos if v.id == video)
        manifest = manifest.model_copy(update={"videos": kept}) if kept else None
    if predictions is not None:
        predictions = [(line, one) for line, one in predictions if one.video_id == video] or None
    if manifest is None and predictions is None:
        raise InputError(f"no video {video!r} in it")
    return dataclasses.replace(content, manifest=manifest, predictions=predictions)
