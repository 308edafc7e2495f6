"""What a model family makes of a chat: the model's inputs, its pictures already encoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from strad_engines.messages import Message


@dataclass(frozen=True, slots=True)
class Inputs:
    """What ``generate`` is given."""

    tensors: dict[str, Any]
    """On the model's device; ``input_ids`` [1, length] among them."""
    vision_s: float
    """Wall seconds spent on pictures: decoding, scaling and encoding."""


class Family(Protocol):
    """One architecture's way. Belongs to the engine's worker thread."""

    def inputs(self, messages: Sequence[Message]) -> Inputs:
        """Raises EngineRefusedError for what this model can't be shown."""
        ...

    def count(self, messages: Sequence[Message]) -> int:
        """Tokens of the prompt, without encoding anything."""
        ...
