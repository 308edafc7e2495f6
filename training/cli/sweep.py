"""``strad-train sweep``: the learning rate that validates best."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from training.augmentations import DEFAULTS
from training.cli.fit_options import (
    AtOnce,
    Augment,
    Base,
    Batch,
    Checkpointing,
    Computed,
    Data,
    Device,
    Drop,
    Epochs,
    EvaluateEvery,
    Evaluations,
    ProfileName,
    Seed,
    Steps,
    Validated,
    Workers,
    augmented,
    must_have,
)
from training.cli.shown_progress import ShownProgress
from training.config import FitConfig, Precision
from training.data import splits_of
from training.fit_command import fit_command


def sweep(
    data: Data,
    base: Base,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A new folder, or a sweep's to go on with.")
    ],
    trials: Annotated[int, typer.Option(min=1, help="How many rates to try.")] = 10,
    lowest: Annotated[float, typer.Option(help="Rates are drawn log-uniformly from here.")] = 1e-6,
    highest: Annotated[float, typer.Option(help="To here.")] = 1e-4,
    profile: ProfileName = "",
    epochs: Epochs = 2.0,
    steps: Steps = 0,
    batch: Batch = 8,
    at_once: AtOnce = 1,
    augment: Augment = None,
    drop: Drop = None,
    evaluations: Evaluations = 4,
    evaluate_every: EvaluateEvery = 0,
    validated: Validated = 0,
    precision: Computed = Precision.AUTO,
    checkpointing: Checkpointing = True,
    workers: Workers = 2,
    device: Device = "",
    seed: Seed = 0,
) -> None:
    """Try learning rates for BASE on DATA, each in a run of its own, and print the best.

    The same command goes on where it was broken off; with more --trials it tries more. A trial
    that is worse than most at the same step is pruned. FOLDER/sweep.html has table and plots.

    For example:

      strad-train sweep data Qwen/Qwen3.5-4B rates --validated 500
    """
    opened = splits_of(data)
    config = FitConfig(
        data=data,
        base=base,
        run=folder,
        profile=profile,
        drop=tuple(drop or ()),
        augmentations=augmented(augment, DEFAULTS),
        epochs=epochs,
        most_steps=steps,
        batch=batch,
        at_once=at_once,
        evaluations=evaluations,
        evaluate_every=evaluate_every,
        most_validated=validated,
        precision=precision,
        checkpointing=checkpointing,
        workers=workers,
        device=device,
        seed=seed,
    )
    must_have("sweep", "optuna", "matplotlib")
    from training.sweep_report import summary, write_report
    from training.sweeping import SweepConfig, best_of
    from training.sweeping import sweep as swept

    wanted = SweepConfig(config, trials, lowest, highest)
    with asyncio.Runner() as runner, ShownProgress() as progress:
        tried = swept(wanted, opened, progress.told, runner.get_loop().time)
    best = best_of(tried)
    command = fit_command(replace(config, run=Path("run"), learning_rate=best.rate))
    page = write_report(folder, tried, best, command)[-1]
    progress.say(f"{summary(tried)}; best validation loss {best.best:.4f}: {page}")
    typer.echo(command)
