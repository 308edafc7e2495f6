"""How a data set is to be prepared: everything that changes what comes out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from streaming.ingest import IngestOptions
from training.budget import PAPER, SEGMENTS_ALONE, STREAMING_ALONE, Shares
from training.material import Material
from training.preparing.plan import Manner

VERSION = 2
"""Rises when the same wishes make other examples."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """All of them; what only changes the speed isn't here."""

    manner: Manner = field(default_factory=Manner)
    streaming: bool = True
    segments: bool = True
    budget: int | None = None
    """Examples for training at most; None: all that the shares allow."""
    validation: tuple[str, ...] | None = None
    """Films of that split; None: the paper's, or a share."""
    share: float | None = None
    """Of the films, for validation."""
    sound: bool = True
    looks: IngestOptions = field(default_factory=IngestOptions)
    casting: str = ""
    """By what characters are known; empty: by nothing."""

    @property
    def shares(self) -> Shares:
        """Of the kinds."""
        if self.streaming and self.segments:
            return PAPER
        return STREAMING_ALONE if self.streaming else SEGMENTS_ALONE

    def identity(self, materials: Sequence[Material]) -> str:
        """The same for two runs that make the same data set."""
        return digest([VERSION, self, *(identity(material) for material in materials)])


def identity(material: Material) -> str:
    """The same while neither the material nor its media file changes."""
    try:
        about = material.media.stat()
    except OSError:
        return digest([material])
    return digest([material, about.st_size, about.st_mtime_ns])


def digest(parts: Iterable[object]) -> str:
    """Of values whose ``repr`` tells all of them."""
    return hashlib.sha256("\n".join(map(repr, parts)).encode()).hexdigest()
