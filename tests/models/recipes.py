"""The checkpoints of the suites, by what they are good for."""

from __future__ import annotations

from pathlib import Path

import torch

from streaming.describers.strad_ft.trained import prompt_sha256
from streaming.prompt.profiles import profile
from tests.models import tiny_qwen
from tests.models.checkpoints import kept
from tests.models.training import LORA, Recipe, adapt, corpus, save, train

RECIPE = Recipe()
PROFILE = profile(RECIPE.profile)
MADE_BY = f"{RECIPE} {prompt_sha256(PROFILE)}"
"""What makes them what they are, beside the code here: the prompts, to the byte."""


def trained_checkpoint() -> Path:
    """Describes shapes by ``qwen35-video``."""
    return kept("trained", MADE_BY, lambda out: train(RECIPE, out))


def adapted_checkpoint() -> Path:
    """``adapter`` and ``merged``: the trained one, taught other words by LoRA."""
    base = trained_checkpoint()
    return kept("adapted", f"{MADE_BY} {LORA}", lambda out: adapt(base, out))


def untrained_checkpoint() -> Path:
    """The same before its first lesson."""
    return kept("untrained", MADE_BY, _random)


def _random(out: Path) -> None:
    words = tiny_qwen.tokenizer(corpus(PROFILE, RECIPE.seed), RECIPE.size)
    model = tiny_qwen.model(words, RECIPE.size, RECIPE.seed)
    save(model.to(torch.bfloat16), tiny_qwen.processor(words, RECIPE.size), out)
