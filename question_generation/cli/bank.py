"""``strad-qa bank``: a reviewed file of templates as a bank to make questions by."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.cinepile.template import own_bank
from question_generation.cinepile.templates.review_file import bank_text, kept
from strad.counted import counted
from strad.errors import InputError
from strad.text_file import refuse_output, write_text


def bank(
    review: Annotated[
        Path, typer.Argument(metavar="CSV", help="As strad-qa templates wrote it, filled in.")
    ],
    to: Annotated[Path, typer.Argument(metavar="BANK", help="JSONL, to be written.")],
    own: Annotated[bool, typer.Option("--own", help="Our own templates before them.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace BANK.")] = False,
) -> None:
    """Write the templates that have yes in their column keep, for run cinepile --templates BANK."""
    refuse_output(to, overwrite=force, option="--force")
    found = kept(review)
    ours = own_bank().templates if own else ()
    twice = {one.name for one in ours} & {one.name for one in found}
    if twice:
        raise InputError(f"{review}: our own bank has a template called {min(twice)!r} too")
    write_text(to, bank_text([*ours, *found]), overwrite=force)
    told = f"{counted(len(ours) + len(found), 'template')}: {to}"
    Console().print(told, markup=False, highlight=False)
