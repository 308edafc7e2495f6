"""``strad-train fit``: examples to weights."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from training.augmentations import DEFAULTS
from training.cli.fit_options import (
    Alpha,
    AtOnce,
    Augment,
    Base,
    Batch,
    Checkpointing,
    Computed,
    Data,
    Decay,
    Device,
    Drop,
    Epochs,
    EvaluateEvery,
    Evaluations,
    Patience,
    ProfileName,
    Rank,
    Rate,
    Samples,
    Seed,
    Steps,
    Validated,
    Warmup,
    Workers,
    augmented,
    must_have,
)
from training.cli.shown_progress import ShownProgress
from training.config import FitConfig, Precision
from training.data import splits_of


def fit(
    data: Data,
    base: Base,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A new folder, or one to go on in.")],
    profile: ProfileName = "",
    learning_rate: Rate = 0.0,
    epochs: Epochs = 2.0,
    steps: Steps = 0,
    batch: Batch = 8,
    at_once: AtOnce = 1,
    rank: Rank = 16,
    alpha: Alpha = 32,
    warmup: Warmup = 0.03,
    weight_decay: Decay = 0.01,
    augment: Augment = None,
    drop: Drop = None,
    evaluations: Evaluations = 4,
    evaluate_every: EvaluateEvery = 0,
    patience: Patience = 3,
    samples: Samples = 32,
    validated: Validated = 0,
    precision: Computed = Precision.AUTO,
    checkpointing: Checkpointing = True,
    workers: Workers = 2,
    device: Device = "",
    seed: Seed = 0,
) -> None:
    """Train BASE on DATA: LoRA on its language layers, its projections in full, into RUN.

    The same command goes on where it was broken off, to the same losses. RUN/best is what
    validated best (strad-train export), RUN/log.csv and RUN/tensorboard are its figures, and
    RUN/samples.jsonl what it answered as it learned.

    For example:

      strad-train fit data Qwen/Qwen3.5-4B run

      accelerate launch --multi_gpu --no_python strad-train fit data Qwen/Qwen3.5-4B run
    """
    opened = splits_of(data)
    config = FitConfig(
        data=data,
        base=base,
        run=run,
        profile=profile,
        drop=tuple(drop or ()),
        augmentations=augmented(augment, DEFAULTS),
        learning_rate=learning_rate,
        epochs=epochs,
        most_steps=steps,
        batch=batch,
        at_once=at_once,
        rank=rank,
        alpha=alpha,
        warmup=warmup,
        weight_decay=weight_decay,
        evaluations=evaluations,
        evaluate_every=evaluate_every,
        patience=patience,
        samples=samples,
        most_validated=validated,
        precision=precision,
        checkpointing=checkpointing,
        workers=workers,
        device=device,
        seed=seed,
    )
    must_have("fit")
    from training.fitting import fit as fitted

    with asyncio.Runner() as runner, ShownProgress() as progress:
        clock = runner.get_loop().time
        found = fitted(config, opened, progress.told, clock)
    early = ", ended early" if found.ended_early else ""
    progress.say(
        f"{found.steps} steps{early}, best validation loss {found.validation_loss:.4f}: "
        f"{run / 'best'}; then: strad-train export {run} MODEL"
    )
