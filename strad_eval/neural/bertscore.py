"""BERTScore: how alike two sentences are, token by token, in a language model's eyes.

Source: Zhang et al. 2020, as ``bert-score`` 0.3.13 computes it without IDF (a test holds the two
equal): begin and end tokens can be matched but don't count. That package embeds both sides of every
pair anew; here each sentence is embedded once, for a window needs N times N pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from strad_eval.metrics.recall_within import Matrix
from strad_eval.neural.checkpoint import Checkpoint
from strad_eval.neural.foreign import Foreign

LAYER = 17
"""Of roberta-large, which the papers use."""
BATCH = 32
_KEPT = 4096
"""Sentences whose vectors are kept: windows overlap, films repeat themselves."""

_Embedded = tuple[NDArray[np.float32], NDArray[np.bool_]]
"""Unit vectors, shape (tokens, d); and which tokens count."""


class BertScore:
    """F of any two sentences, 0 where one has no words. No rescaling: it never changes a rank."""

    def __init__(self, checkpoint: Checkpoint, layer: int = LAYER) -> None:
        """``layer`` counts from 0, the embeddings; a model with fewer gives its last."""
        self._checkpoint = checkpoint
        self._layer = min(layer, int(checkpoint.model.config.num_hidden_layers))
        self._known: dict[str, _Embedded] = {}

    @property
    def said(self) -> str:
        """What reports print of it."""
        return f"{self._checkpoint.said}, layer {self._layer}"

    def matrix(self, descriptions: Sequence[str], references: Sequence[str]) -> Matrix:
        """F of each description (down) with each reference (across)."""
        self._embed([*descriptions, *references])
        found = np.zeros((len(descriptions), len(references)))
        for row, description in enumerate(descriptions):
            for column, reference in enumerate(references):
                found[row, column] = _f(self._known[description], self._known[reference])
        self._forget([*descriptions, *references])
        return found

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """F of each (reference, description)."""
        values = []
        for first in range(0, len(pairs), BATCH):
            batch = pairs[first : first + BATCH]
            self._embed([text for pair in batch for text in pair])
            values += [_f(self._known[ours], self._known[theirs]) for theirs, ours in batch]
            self._forget([text for pair in batch for text in pair])
        return values

    def _embed(self, texts: Sequence[str]) -> None:
        missing = sorted({text for text in texts if text not in self._known}, key=len)
        for first in range(0, len(missing), BATCH):
            batch = missing[first : first + BATCH]
            self._known.update(zip(batch, self._run(batch), strict=True))

    def _run(self, texts: list[str]) -> list[_Embedded]:
        import torch

        tokenizer, model = self._checkpoint.tokenizer, self._checkpoint.model
        longest = int(model.config.max_position_embeddings) - 2
        coded = tokenizer(
            [text.strip() for text in texts],
            return_tensors="pt",
            padding=True,
            truncation=True,
            max_length=min(longest, 512),
        )
        coded = coded.to(model.device)
        with torch.inference_mode():
            states = model(**coded, output_hidden_states=True).hidden_states[self._layer]
        unit = torch.nn.functional.normalize(states.float(), dim=-1).cpu().numpy()
        return [self._kept(*row) for row in zip(unit, *_ids(coded), strict=True)]

    def _kept(
        self, vectors: NDArray[np.float32], ids: NDArray[np.int64], there: NDArray[np.bool_]
    ) -> _Embedded:
        tokenizer = self._checkpoint.tokenizer
        counts = (ids != tokenizer.cls_token_id) & (ids != tokenizer.sep_token_id)
        return vectors[there], counts[there]

    def _forget(self, keep: Sequence[str]) -> None:
        if len(self._known) > _KEPT:
            self._known = {text: self._known[text] for text in keep}


def _ids(coded: Foreign) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    return coded["input_ids"].cpu().numpy(), coded["attention_mask"].cpu().numpy().astype(bool)


def _f(description: _Embedded, reference: _Embedded) -> float:
    if not description[1].any() or not reference[1].any():
        return 0.0
    alike = description[0] @ reference[0].T
    precision = float(alike.max(axis=1)[description[1]].mean())
    recall = float(alike.max(axis=0)[reference[1]].mean())
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
