"""A model family as training sees it: a table of module names, and how an example is encoded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from strad_engines.messages import Message
from training.config import Modality

Tensors: TypeAlias = dict[str, Any]
"""Of one example or batch, by the names of the model's own arguments."""

Processor: TypeAlias = Any
"""As transformers has it."""

Encode: TypeAlias = Callable[[Processor, Sequence[Message]], Tensors]
"""Processor and prompt to what the model is given; ``input_ids`` [1, length] among them."""


@dataclass(frozen=True, slots=True)
class Family:
    """One architecture."""

    kind: str
    """As its configuration's ``model_type``."""
    profiles: tuple[str, ...]
    """How it may be asked; the first is the usual one."""
    learning_rate: float
    """What the paper's sweep chose (C.2)."""
    taught: str
    """The language layers that LoRA changes: a regular expression over whole module names."""
    seeing: tuple[str, ...]
    """The projections of pictures into the language model, by the ends of their names."""
    end: str
    """The token that ends a turn."""
    encode: Encode
    hearing: Mapping[bool, tuple[str, ...]] = field(default_factory=dict)
    """The projections of sound: of sound beside pictures (True), and of sound alone."""
    merged_first: str = ""
    """A LoRA adapter in the base's own folder that is merged into it before anything else."""
    beside: tuple[str, ...] = ("mm_token_type_ids",)
    """Tensors as long as ``input_ids``, 0 for text."""

    def projections(self, dropped: Collection[Modality]) -> tuple[str, ...]:
        """What is trained in full: projections of what is seen, and of what is heard."""
        sees = Modality.VIDEO not in dropped
        hears = Modality.AUDIO not in dropped
        heard = self.hearing.get(sees, ()) if hears else ()
        return (*(self.seeing if sees else ()), *heard)
