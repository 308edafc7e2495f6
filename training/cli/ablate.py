"""``strad-train ablate``: what each input and augmentation is worth, in one table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strad.text_file import write_text
from training.ablation_table import Row, as_csv, as_markdown
from training.cli.fit_options import (
    AtOnce,
    Base,
    Batch,
    Checkpointing,
    Computed,
    Data,
    Device,
    Epochs,
    EvaluateEvery,
    Evaluations,
    ProfileName,
    Rate,
    Samples,
    Seed,
    Steps,
    Validated,
    Workers,
    must_have,
)
from training.cli.shown_progress import ShownProgress
from training.config import FitConfig, Precision
from training.data import splits_of
from training.skipped import Skips
from training.sources.manifests import manifest_materials
from training.variants import VARIANTS, Variant, chosen_variants

if TYPE_CHECKING:
    from training.ablating import Ablation


def ablate(
    data: Data,
    base: Base,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A new folder, or one to go on in.")
    ],
    manifest: Annotated[
        Path, typer.Option(help="The videos to describe: references and transcripts.")
    ],
    media: Annotated[Path | None, typer.Option(help="Where the manifest's videos lie.")] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=f"Repeatable, of {', '.join(VARIANTS)}.",
            show_default="all",
        ),
    ] = None,
    profile: ProfileName = "",
    learning_rate: Rate = 0.0,
    epochs: Epochs = 1.0,
    steps: Steps = 0,
    batch: Batch = 8,
    at_once: AtOnce = 1,
    evaluations: Evaluations = 4,
    evaluate_every: EvaluateEvery = 0,
    samples: Samples = 64,
    validated: Validated = 0,
    precision: Computed = Precision.AUTO,
    checkpointing: Checkpointing = True,
    workers: Workers = 2,
    device: Device = "",
    seed: Seed = 0,
) -> None:
    """Train BASE on DATA without one thing at a time; describe whole videos with each, and score.

    The rows of StrAD's table 3: without video, audio or both, and with each augmentation off; the
    row "all" has all of them on. The same command goes on where it was broken off.
    FOLDER/table.md and table.csv are written anew after each variant, with all that are done.

    For example:

      strad-train ablate data BASE ablation --manifest val.json --media films --variant no-video
    """
    opened = splits_of(data)
    films = manifest_materials(manifest, media, skips := Skips())
    shared = FitConfig(
        data=data,
        base=base,
        run=folder,
        profile=profile,
        learning_rate=learning_rate,
        epochs=epochs,
        most_steps=steps,
        batch=batch,
        at_once=at_once,
        evaluations=evaluations,
        evaluate_every=evaluate_every,
        patience=0,
        samples=samples,
        most_validated=validated,
        precision=precision,
        checkpointing=checkpointing,
        workers=workers,
        device=device,
        seed=seed,
    )
    must_have("ablate")
    from training.ablating import Ablation
    from training.base_model import family_named

    variants = chosen_variants(family_named(base)[1], variant or ())
    with Ablation(shared, opened, manifest, films).begun() as ablation:
        typer.echo(as_markdown(_all(ablation, variants, skips.line())), nl=False)


def _all(ablation: Ablation, variants: Sequence[Variant], passed_over: str) -> list[Row]:
    from training.ablating import ablate as ablated

    with asyncio.Runner() as runner, ShownProgress() as progress:
        if passed_over:
            progress.say(passed_over)
        clock = runner.get_loop().time
        for one in variants:
            runner.run(ablated(ablation, one, progress.told, progress.say, clock))
            _write(ablation.shared.run, ablation.done())
    return ablation.done()


def _write(folder: Path, rows: list[Row]) -> None:
    write_text(folder / "table.csv", as_csv(rows), overwrite=True)
    write_text(folder / "table.md", as_markdown(rows), overwrite=True)
