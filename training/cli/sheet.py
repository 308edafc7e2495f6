"""``strad-train sheet``: random examples on a page, so that a person sees what a model will see."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from strad.counted import counted
from strad.errors import InputError
from strad.text_file import refuse_output, write_text
from streaming.prompt.profiles import PROFILES
from streaming.prompt.profiles import profile as profile_named
from training.augmentations import apply, check_names
from training.dataset import SPLITS, Dataset
from training.example import Example, Kind
from training.sheet import page


def sheet(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="What prepare has made.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="HTML", help="The page.")
    ] = Path("sheet.html"),
    count: Annotated[int, typer.Option(min=1, max=500, help="Examples.")] = 24,
    split: Annotated[str, typer.Option(help=f"{' or '.join(SPLITS)}.")] = "train",
    kind: Annotated[Kind | None, typer.Option(help="Only these.")] = None,
    profile: Annotated[str, typer.Option(help=f"{', '.join(PROFILES)}.")] = "qwen35-video",
    augment: Annotated[
        list[str] | None, typer.Option(help="Show them changed by this; repeatable.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of what is drawn.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the page.")] = False,
) -> None:
    """Show random examples exactly as a model is shown them, with the answers they teach."""
    refuse_output(output, overwrite=overwrite, option="--overwrite")
    shown_by = profile_named(profile)
    names = augment or []
    check_names(names)
    examples = _drawn(Dataset.open(data), split, kind, count, seed)
    changed = [apply(one, names, np.random.default_rng(seed)) for one in examples]
    title = f"{counted(len(changed), 'example')} of {data.resolve().name}, {split}"
    write_text(output, page(title, changed, shown_by), overwrite=overwrite)
    typer.echo(f"{output}: {counted(len(changed), 'example')}")


def _drawn(dataset: Dataset, split: str, kind: Kind | None, count: int, seed: int) -> list[Example]:
    found = dataset.split(split)
    there = [n for n, entry in enumerate(found.entries) if kind in (None, entry.kind)]
    if not there:
        raise InputError(f"{dataset.folder}: has no such example in {split}")
    order = np.random.default_rng(seed).permutation(len(there))[:count]
    return [found[there[n]] for n in order]
