"""In what form trained weights are exported. Values. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

BASE, ADAPTER = "base", "adapter"
"""The two folders of an export that is an adapter on its base."""


class Form(StrEnum):
    """What is exported."""

    MERGED = "merged"
    """One checkpoint, which any server takes."""
    ADAPTER = "adapter"
    """The base with the layers trained in full, and LoRA beside it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be exported, and what of the check is borne."""

    form: Form = Form.MERGED
    differ: int = 0
    """So many windows may be answered otherwise: rounding can turn two nearly equal tokens."""
    release: bool = False
    """Whether it is a release: everything else is a draft, and labelled so where it is served."""
