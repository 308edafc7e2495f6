"""What a run is trained on and judged by: two splits, and what tells this data from other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from training.dataset import Dataset
from training.example import Example

Opened: TypeAlias = Callable[[], Sequence[Example]]
"""A split, opened anew by each process that reads."""


@dataclass(frozen=True, slots=True)
class Splits:
    """No film is in both."""

    train: Opened
    validation: Opened
    digest: str
    """Of the data's description."""


def splits_of(folder: Path) -> Splits:
    """Of a folder that ``strad-train prepare`` made. Raises InputError, FormatError."""
    opened = Dataset.open(folder)
    return Splits(lambda: opened.split("train"), lambda: opened.split("validation"), opened.digest)
