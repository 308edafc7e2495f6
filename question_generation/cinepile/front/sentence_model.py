"""Descriptions told from dialogue by a line of weights: no library, no hub, some 20,000 a second.

The weights (``data/sentences.json``) are trained by ``small_training`` on sentences of our own.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeGuard

from question_generation.cinepile.front.features import features
from strad.errors import FormatError
from strad.text_file import read_text

OWN = "sentences.json"
MOST = 1e9
"""Of a weight, above 0 or below; far more than any that is learned."""
FORMAT, VERSION = "sentence model", 1


@dataclass(frozen=True, slots=True)
class SentenceModel:
    """A ``Classifier``."""

    called: str
    weights: Mapping[str, float]
    """By feature; above 0 speaks for a description. Their sum through the logistic function."""
    bias: float = 0.0

    @property
    def name(self) -> str:
        """With a hash of what it knows: whatever is called the same, another model has another."""
        return f"{self.called} {_digest(self.text())}".strip()

    def visual(self, texts: Sequence[str]) -> list[float]:
        """How likely each is a description and not dialogue, from 0 to 1."""
        return [_logistic(self._sum(text)) for text in texts]

    def _sum(self, text: str) -> float:
        return self.bias + sum(self.weights.get(one, 0.0) for one in features(text))

    def text(self) -> str:
        """As a file: one weight a line."""
        head = {"strad": FORMAT, "version": VERSION, "name": self.called, "bias": self.bias}
        told = json.dumps(head, ensure_ascii=False)[1:-1]
        rows = ",\n".join(f"{json.dumps(k)}: {v}" for k, v in sorted(self.weights.items()))
        return f'{{{told}, "weights": {{\n{rows}\n}}}}\n'


def own_model() -> SentenceModel:
    """The one that ships."""
    return _own()


@cache
def _own() -> SentenceModel:
    data = resources.files("question_generation.cinepile.front").joinpath("data", OWN)
    return parse(data.read_text(encoding="utf-8"), OWN)


def read_model(path: Path) -> SentenceModel:
    """One that ``train-classifier --small`` wrote. Raises InputError, FormatError."""
    return parse(read_text(path), str(path))


def parse(text: str, file: str) -> SentenceModel:
    """Raises FormatError for what is no such file."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", file=file) from None
    if not isinstance(found, dict) or found.get("strad") != FORMAT:
        raise FormatError("no model of sentences", file=file)
    if found.get("version") != VERSION:
        raise FormatError(f"version {found.get('version')!r} of the format is not known", file=file)
    weights, bias = found.get("weights"), found.get("bias")
    if (
        not isinstance(weights, dict)
        or not _number(bias)
        or not all(map(_number, weights.values()))
    ):
        raise FormatError("weights that are no numbers", file=file)
    return SentenceModel(str(found.get("name", "")), weights, float(bias))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and abs(value) <= MOST


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))
