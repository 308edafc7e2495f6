"""Examples as a trainer draws them: augmented by epoch, rendered as in serving, encoded.

What is drawn depends on (seed, epoch, key) alone, not on who reads it or what was read before: a
run that is gone on with sees what an unbroken one sees.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from torch.utils.data import Dataset, Sampler

from strad.errors import InputError
from streaming.prompt.profile import Profile
from training.augmentations import apply
from training.collator import encoded
from training.example import Example
from training.families.family import Family, Tensors
from training.rendering import rendered

At: TypeAlias = tuple[int, int]
"""Epoch and place."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """How an example becomes tensors."""

    family: Family
    processor: Any
    profile: Profile
    augmentations: Sequence[str] = ()
    seed: int = 0

    def tensors(self, example: Example, epoch: int) -> Tensors:
        """Raises InputError for what can't be written or shown."""
        if self.augmentations:
            rng = np.random.default_rng([self.seed, epoch, zlib.crc32(example.key.encode())])
            example = apply(example, self.augmentations, rng)
        try:
            return encoded(self.family, self.processor, rendered(example, self.profile))
        except ValueError as error:
            raise InputError(f"the example {example.key} can't be taught: {error}") from error


class Lessons(Dataset[Tensors]):  # type: ignore[misc]
    """A split, encoded as it is read. Each process that reads opens it for itself."""

    def __init__(self, opened: Callable[[], Sequence[Example]], teaching: Teaching) -> None:
        self._open, self._teaching = opened, teaching
        self._reader = os.getpid()
        self._examples = opened()

    def __len__(self) -> int:
        """How many examples there are."""
        return len(self._examples)

    def __getitem__(self, at: At | int) -> Tensors:
        """The example at a place, as an epoch shows it; without an epoch, of the first."""
        epoch, place = at if isinstance(at, tuple) else (0, at)
        if self._reader != os.getpid():
            self._reader, self._examples = os.getpid(), self._open()
        return self._teaching.tensors(self._examples[place], epoch)


class Shuffled(Sampler[At]):  # type: ignore[misc]
    """Every place once an epoch, in an order of the epoch's own."""

    def __init__(self, count: int, seed: int) -> None:
        self._count, self._seed = count, seed
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Which epoch comes; told by the loader."""
        self.epoch = epoch

    def __len__(self) -> int:
        """How many places there are."""
        return self._count

    def __iter__(self) -> Iterator[At]:
        """The places of ``epoch``."""
        order = np.random.default_rng([self._seed, self.epoch]).permutation(self._count)
        yield from ((self.epoch, int(place)) for place in order)
