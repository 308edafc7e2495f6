"""Sentences as directions, from a decoder's last token: how gte-Qwen2-7B-instruct is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from strad_eval.neural.checkpoint import Checkpoint
from strad_eval.neural.foreign import Foreign

Pooling: TypeAlias = Literal["last", "mean"]
TASK = "retrieve relevant passages that involve similar actions, focus particularly on the verbs"
"""Shot-by-Shot's instruction."""
BATCH = 8
LONGEST = 256
"""Tokens of one sentence; what lies beyond is cut."""


class SentenceEmbedder:
    """Unit vectors of sentences, each computed once."""

    def __init__(self, checkpoint: Checkpoint, pooling: Pooling = "last", task: str = TASK) -> None:
        self._checkpoint, self._pooling, self._task = checkpoint, pooling, task
        self._known: dict[str, NDArray[np.float64]] = {}

    @property
    def said(self) -> str:
        """What reports print of it."""
        return f"{self._checkpoint.said}, {self._pooling} token"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n, d), each row of length 1."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        for first in range(0, len(missing), BATCH):
            batch = missing[first : first + BATCH]
            self._known.update(zip(batch, self._run(batch), strict=True))
        return np.stack([self._known[text] for text in texts])

    def _run(self, texts: list[str]) -> NDArray[np.float64]:
        import torch

        tokenizer, model = self._checkpoint.tokenizer, self._checkpoint.model
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
        told = [f"Instruct: {self._task}\nQuery: {text}" if self._task else text for text in texts]
        coded = tokenizer(
            told, return_tensors="pt", padding=True, truncation=True, max_length=LONGEST
        ).to(model.device)
        with torch.inference_mode():
            states = model(**coded).last_hidden_state
        pooled = self._pool(states, coded["attention_mask"])
        unit = torch.nn.functional.normalize(pooled.double(), dim=-1)
        found: NDArray[np.float64] = unit.cpu().numpy()
        return found

    def _pool(self, states: Foreign, there: Foreign) -> Foreign:
        if self._pooling == "mean":
            weight = there.unsqueeze(-1)
            return (states * weight).sum(dim=1) / weight.sum(dim=1)
        # The last token that is there, on whichever side the tokenizer pads.
        places = there.cumsum(dim=1).argmax(dim=1)
        return states[range(len(states)), places]
