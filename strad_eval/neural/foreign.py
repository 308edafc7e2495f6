"""Objects of libraries that say nothing of their types."""

from __future__ import annotations

from typing import Any, TypeAlias

Foreign: TypeAlias = Any
"""A model, tokenizer or tensor, as torch, transformers, fastcoref or spaCy make them."""
