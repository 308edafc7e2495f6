"""How a model is trained: every choice, with the paper's defaults (StrAD 4.2, 5.1). Pure."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from strad.errors import InputError
from training.augmentations import DEFAULTS, check_names

_DEVICES = ("", "cpu")
_ABOVE_0 = {"epochs", "batch", "at_once", "rank", "alpha", "evaluations", "clip"}
_NOT_BELOW_0 = {
    "learning_rate",
    "most_steps",
    "weight_decay",
    "evaluate_every",
    "patience",
    "samples",
    "most_validated",
    "workers",
}


class Modality(StrEnum):
    """What a variant of the model may be kept from (StrAD, table 3)."""

    VIDEO = "video"
    AUDIO = "audio"


class Precision(StrEnum):
    """What is computed in."""

    AUTO = "auto"
    """bfloat16 on a GPU that has it, float32 elsewhere."""
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"


@dataclass(frozen=True, slots=True)
class FitConfig:
    """One training run."""

    data: Path
    """A folder that ``strad-train prepare`` made."""
    base: str
    """The model's folder, or ``owner/repository`` of the model hub."""
    run: Path
    profile: str = ""
    """How the model is asked; empty: the first of its family."""
    drop: tuple[Modality, ...] = ()
    """What it is neither shown nor taught to hear."""
    augmentations: tuple[str, ...] = DEFAULTS
    learning_rate: float = 0.0
    """The highest; 0: the paper's for the family."""
    epochs: float = 2.0
    most_steps: int = 0
    """Where above 0: the run's length in steps, in place of ``epochs``."""
    batch: int = 8
    """Examples of one step, of all processes together."""
    at_once: int = 1
    """Examples in a GPU at a time; the rest of a batch is accumulated."""
    rank: int = 16
    alpha: int = 32
    dropout: float = 0.0
    warmup: float = 0.03
    """Share of the steps in which the rate rises."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """The longest gradient."""
    evaluations: int = 4
    """In each epoch."""
    evaluate_every: int = 0
    """Where above 0: steps between two evaluations, in place of ``evaluations``."""
    patience: int = 3
    """Evaluations without a better loss, after which it ends early; 0: it never does."""
    samples: int = 32
    """Validation examples that are answered and scored at each evaluation."""
    most_validated: int = 0
    """Where above 0: the most validation examples that the loss is taken of."""
    precision: Precision = Precision.AUTO
    checkpointing: bool = True
    """Whether activations are computed twice in place of being kept."""
    workers: int = 2
    """Processes that read and scale pictures."""
    device: str = ""
    """``cpu``, or empty for a GPU where there is one."""
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises InputError for what can't be."""
        check_names(self.augmentations)
        self._check_numbers()
        for name in ("dropout", "warmup"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}, and must be 0 or more, below 1")
        if self.device not in _DEVICES:
            raise InputError(
                f"device is {self.device!r}: name cpu, or none, for a GPU where there is one "
                "(CUDA_VISIBLE_DEVICES says which)"
            )

    def _check_numbers(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            if isinstance(value, float) and not math.isfinite(value):
                raise InputError(f"{name} is {value}, and must be finite")
            if name in _ABOVE_0 and not value > 0:
                raise InputError(f"{name} is {value}, and must be above 0")
            if name in _NOT_BELOW_0 and not value >= 0:
                raise InputError(f"{name} is {value}, and must not be below 0")

    def accumulated(self, processes: int) -> int:
        """How many times ``at_once`` makes a batch. Raises InputError where it does not."""
        together = self.at_once * processes
        if self.batch % together:
            raise InputError(
                f"a batch of {self.batch} can't be made of {processes} x {self.at_once} examples: "
                "choose a batch that is a multiple"
            )
        return self.batch // together

    def as_json(self) -> dict[str, Any]:
        """All of it, as JSON's own types."""
        made = dataclasses.asdict(self)
        return {name: _plain(value) for name, value in made.items()}

    def differences(self, stored: dict[str, Any]) -> list[str]:
        """What differs from a stored run's and would change its weights, by name."""
        now = self.as_json()
        free = {"run", "workers", "samples", "device"}
        return sorted(k for k in now if k not in free and stored.get(k, now[k]) != now[k])


def _plain(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value
