"""Phi-4-multimodal, as transformers has it: pictures as images, sound beside them.

Its processor writes the text around both. Nothing is remembered between windows: its tower's
encodings are made inside the model, with the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import BatchFeature, PreTrainedModel
from transformers.processing_utils import ProcessorMixin

from strad_engines.chat_turns import flat_turns_of
from strad_engines.messages import Message
from strad_engines.pixels import pixels, samples
from strad_engines.transformers_engine.asking import Inputs


class Phi:
    """A Phi-4-multimodal and its processor."""

    def __init__(self, model: PreTrainedModel, processor: ProcessorMixin) -> None:
        self._model, self._processor = model, processor

    def inputs(self, messages: Sequence[Message]) -> Inputs:
        """See ``Family``. Pictures are encoded with the prompt: no time is told apart."""
        made = self._made(messages)
        device, dtype = self._model.device, self._model.dtype
        moved = {
            name: value.to(device, dtype) if value.is_floating_point() else value.to(device)
            for name, value in made.items()
            if torch.is_tensor(value)
        }
        return Inputs(moved, 0.0)

    def count(self, messages: Sequence[Message]) -> int:
        """See ``Family``."""
        return int(self._made(messages)["input_ids"].shape[1])

    def _made(self, messages: Sequence[Message]) -> BatchFeature:
        tokenizer = self._processor.tokenizer
        turns = flat_turns_of(messages, tokenizer.image_token, tokenizer.audio_token)
        text = tokenizer.apply_chat_template(
            turns.turns, tokenize=False, add_generation_prompt=True
        )
        media: dict[str, Any] = {}
        if turns.images:
            media["images"] = [pixels(image) for image in turns.images]
        if turns.sounds:
            heard = [samples(sound) for sound in turns.sounds]
            media["audio"] = [sound for sound, _ in heard]
            media["audio_kwargs"] = {"sampling_rate": heard[0][1]}
        return self._processor(text=text, return_tensors="pt", **media)
