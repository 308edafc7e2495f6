"""The paper's classifier: a BERT with a head of two classes, from a folder. PyTorch at need."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from question_generation.cinepile.front.labelled import DIALOGUE, VISUAL
from strad.errors import InputError, MissingModelError

INSTALL = "pip install 'strad[local]'"
CLASSES = (DIALOGUE, VISUAL)
LONGEST = 128
"""Tokens of a sentence; what lies beyond is cut."""
BATCH = 64
_CONFIG = "config.json"


@dataclass(frozen=True, slots=True)
class Bert:
    """A ``Classifier``."""

    name: str
    model: Any = field(repr=False)
    tokenizer: Any = field(repr=False)
    visual_class: int

    def visual(self, texts: Sequence[str]) -> list[float]:
        """See ``Classifier``."""
        import torch

        found: list[float] = []
        with torch.inference_mode():
            for first in range(0, len(texts), BATCH):
                logits = self.model(**coded(self.tokenizer, texts[first : first + BATCH])).logits
                found += logits.float().softmax(dim=-1)[:, self.visual_class].tolist()
        return found


def read_bert(folder: Path) -> Bert:
    """A folder that ``train-classifier`` wrote. Raises InputError, MissingModelError."""
    if not (folder / _CONFIG).is_file():
        raise InputError(f"{folder}: no model in it: train one with strad-qa train-classifier")
    model, tokenizer = load(str(folder))
    labels = {label.lower(): at for at, label in model.config.id2label.items()}
    if VISUAL not in labels:
        raise InputError(f"{folder}: its classes are not {' and '.join(CLASSES)}")
    digest = hashlib.sha256(b"".join(_bytes(model))).hexdigest()
    return Bert(f"bert {digest[:16]}", model.eval(), tokenizer, int(labels[VISUAL]))


def load(name: str, **config: object) -> tuple[Any, Any]:
    """Model and tokenizer of a folder or hub name. Raises MissingModelError; runs no code of it."""
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingModelError(f"{package} is not here: {INSTALL}")
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a head that is new, which is what is wanted
            tokenizer = AutoTokenizer.from_pretrained(name)
            model = AutoModelForSequenceClassification.from_pretrained(name, **config)
    except (OSError, ValueError) as error:
        why = str(error).strip().splitlines()[0]
        raise MissingModelError(f"the model {name} can't be had: {why}") from None
    return model, tokenizer


def coded(tokenizer: Any, texts: Sequence[str]) -> Any:  # noqa: ANN401 of transformers
    """Sentences as tensors."""
    return tokenizer(
        list(texts), return_tensors="pt", padding=True, truncation=True, max_length=LONGEST
    )


def _bytes(model: Any) -> list[bytes]:  # noqa: ANN401
    return [
        name.encode() + tensor.detach().float().cpu().numpy().tobytes()
        for name, tensor in sorted(model.state_dict().items())
    ]
