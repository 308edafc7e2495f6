"""In what form trained weights are exported."""

from __future__ import annotations

from enum import StrEnum

BASE, ADAPTER = "base", "adapter"
"""The two folders of an export that is an adapter on its base."""


class Form(StrEnum):
    """What is exported."""

    MERGED = "merged"
    """One checkpoint, which any server takes."""
    ADAPTER = "adapter"
    """The base with the layers trained in full, and LoRA beside it."""
