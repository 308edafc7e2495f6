"""A run's choices as the command that makes it. Pure."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path

from training.config import FitConfig

_OPTIONS = {
    "profile": "--profile",
    "learning_rate": "--learning-rate",
    "epochs": "--epochs",
    "most_steps": "--steps",
    "batch": "--batch",
    "at_once": "--at-once",
    "rank": "--rank",
    "alpha": "--alpha",
    "warmup": "--warmup",
    "weight_decay": "--weight-decay",
    "evaluations": "--evaluations",
    "evaluate_every": "--evaluate-every",
    "patience": "--patience",
    "samples": "--samples",
    "most_validated": "--validated",
    "precision": "--precision",
    "workers": "--workers",
    "device": "--device",
    "seed": "--seed",
}


def fit_command(config: FitConfig) -> str:
    """``strad-train fit`` with what is not as it is by default."""
    plain = FitConfig(Path(), "", Path())
    words = ["strad-train", "fit", str(config.data), config.base, str(config.run)]
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if field.name in _OPTIONS and value != getattr(plain, field.name):
            words += [
                _OPTIONS[field.name],
                f"{value:g}" if isinstance(value, float) else str(value),
            ]
    for one in config.drop:
        words += ["--drop", one.value]
    if config.augmentations != plain.augmentations:
        for name in config.augmentations or ("none",):
            words += ["--augment", name]
    if not config.checkpointing:
        words.append("--no-checkpointing")
    return shlex.join(words)
