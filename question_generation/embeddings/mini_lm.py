"""all-MiniLM-L6-v2, int8, by ONNX Runtime: 384 directions, as sentence-transformers makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from question_generation.embeddings.embedder import Vectors
from strad.errors import MissingModelError
from strad_engines.weights import Weights

MODEL, TOKENIZER = "minilm-l6-int8", "minilm-l6-tokenizer"
LONGEST = 256
"""Tokens of a text; what lies beyond is cut, as the model's own settings have it."""
BATCH = 64
DIMENSIONS = 384
_RUNTIMES = ("onnxruntime", "tokenizers")


@dataclass(frozen=True, slots=True)
class MiniLm:
    """An ``Embedder``. Holds only where its files are found; they are opened for each call."""

    weights: Weights
    name: str = "all-MiniLM-L6-v2 int8 1"
    threads: int = 2

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder``. Raises MissingModelError where a file or a library is not here."""
        session, tokenizer = self._session(), self._tokenizer()
        found = np.zeros((len(texts), DIMENSIONS), np.float32)
        # Texts of a length together: little is padded. The order does not change a vector's place.
        order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), at))
        for first in range(0, len(order), BATCH):
            places = order[first : first + BATCH]
            found[places] = _vectors(session, tokenizer, [texts[at] for at in places])
        return found

    def _session(self) -> Any:  # noqa: ANN401 ONNX Runtime has no types
        runtime = _library("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        path = self.weights.file(MODEL)
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def _tokenizer(self) -> Any:  # noqa: ANN401
        tokenizer = _library("tokenizers").Tokenizer.from_file(str(self.weights.file(TOKENIZER)))
        tokenizer.enable_padding()  # to the longest of a batch: the file itself pads to 128
        tokenizer.enable_truncation(LONGEST)
        return tokenizer


def minilm_is_here(weights: Weights) -> bool:
    """Whether its files and what runs them are on this computer."""
    libraries = all(find_spec(name) is not None for name in _RUNTIMES)
    return libraries and weights.here(MODEL) and weights.here(TOKENIZER)


def _vectors(session: Any, tokenizer: Any, texts: list[str]) -> Vectors:  # noqa: ANN401
    coded = tokenizer.encode_batch(texts)
    told = {
        "input_ids": np.array([one.ids for one in coded], np.int64),
        "attention_mask": np.array([one.attention_mask for one in coded], np.int64),
        "token_type_ids": np.array([one.type_ids for one in coded], np.int64),
    }
    states = session.run(None, told)[0]
    there = told["attention_mask"][..., None].astype(np.float32)
    mean = (states * there).sum(axis=1) / there.sum(axis=1)
    found: Vectors = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return found


def _library(name: str) -> Any:  # noqa: ANN401
    if find_spec(name) is None:
        raise MissingModelError(f"MiniLM needs {name}: pip install 'strad[questions]'")
    return import_module(name)
