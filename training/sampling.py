"""Validation examples put to the model in training, by the code that serves it, and scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from transformers import PreTrainedModel
from transformers.processing_utils import ProcessorMixin

from strad.decision import Decision, Describe, Wait, WaitReason
from strad_engines.messages import Message, Sampling
from strad_engines.transformers_engine.answer import Asked, answer
from strad_engines.transformers_engine.asking import Family as Asks
from strad_engines.transformers_engine.phi import Phi
from strad_engines.transformers_engine.qwen import Qwen
from streaming.prompt.profile import Profile
from streaming.prompt.segment import read_segment
from training.example import Example, Kind
from training.rendering import rendered
from training.sample_scores import Answered

MOST_TOKENS = 96


def chosen(examples: Sequence[Example], count: int, seed: int) -> list[Example]:
    """So many of them, the same each time, every kind in its share."""
    order = np.random.default_rng(seed).permutation(len(examples))[:count]
    return [examples[int(place)] for place in sorted(order)]


@dataclass(frozen=True, slots=True)
class Sampler:
    """Asks a model as it is now. Greedy, and held to no form: what it has learned shows."""

    kind: str
    processor: ProcessorMixin
    ends: list[int]
    profile: Profile
    clock: Callable[[], float]

    def answers(self, model: PreTrainedModel, examples: Sequence[Example]) -> list[Answered]:
        """``model`` without adapters' wrapping, on its device, not learning at the time."""
        asks = self._asks(model)
        return [self._answered(model, asks, example) for example in examples]

    def _asks(self, model: PreTrainedModel) -> Asks:
        if self.kind == "qwen3_5":
            return Qwen(model, self.processor, cache_bytes=0, clock=self.clock)
        return Phi(model, self.processor)

    def _answered(self, model: PreTrainedModel, asks: Asks, example: Example) -> Answered:
        shown = rendered(example, self.profile)
        said = self._said(model, asks, shown.messages)
        got = meaning(self.profile, example, said)
        return Answered(example.key, example.kind, shown.answer, said, example.answer, got)

    def _said(self, model: PreTrainedModel, asks: Asks, messages: Sequence[Message]) -> str:
        sampling = Sampling(MOST_TOKENS, stop=("\n",))
        asked = Asked(asks.inputs(messages).tensors, sampling, None, lambda: False, self.clock)
        return answer(model, self.processor.tokenizer, self.ends, asked).text


def meaning(profile: Profile, example: Example, said: str) -> Decision:
    """What an answer means: read as it is where it is served."""
    if example.moment is None:
        return profile.parse(said, example.window)
    text = read_segment(profile, said, example.window.language)
    if isinstance(text, WaitReason):
        return Wait(text)
    return Describe((text,), example.moment)


def spread(examples: Sequence[Example]) -> dict[str, int]:
    """How many of each kind."""
    return {kind.value: sum(one.kind is kind for one in examples) for kind in Kind}
