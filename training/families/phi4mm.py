"""Phi-4-multimodal, as transformers has it: pictures as images, sound beside them.

The published model sees only with its vision LoRA: a folder ``vision-lora`` in the base, which is
merged into the weights before ours is laid over them (StrAD, 4.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strad_engines.chat_turns import flat_turns_of
from strad_engines.messages import Message
from strad_engines.pixels import pixels, samples
from training.families.family import Family, Processor, Tensors


def encode(processor: Processor, messages: Sequence[Message]) -> Tensors:
    """The prompt's tensors, by the processor's own work, as the engine that serves makes them."""
    words = processor.tokenizer
    turns = flat_turns_of(messages, words.image_token, words.audio_token)
    prompt = words.apply_chat_template(turns.turns, tokenize=False, add_generation_prompt=True)
    media: dict[str, Any] = {}
    if turns.images:
        media["images"] = [pixels(image) for image in turns.images]
    if turns.sounds:
        heard = [samples(sound) for sound in turns.sounds]
        media["audio"] = [sound for sound, _ in heard]
        media["audio_kwargs"] = {"sampling_rate": heard[0][1]}
    return dict(processor(text=prompt, return_tensors="pt", **media))


PHI4MM = Family(
    kind="phi4_multimodal",
    profiles=("phi4mm",),
    learning_rate=9.2e-5,
    taught=r"model\.layers\.\d+\.(self_attn\.(qkv|o)_proj|mlp\.(gate_up|down)_proj)",
    seeing=("image_embed.img_projection_up", "image_embed.img_projection_down"),
    end="<|end|>",
    encode=encode,
    hearing={
        True: ("audio_embed.up_proj_for_vision_speech", "audio_embed.down_proj_for_vision_speech"),
        False: ("audio_embed.up_proj_for_speech", "audio_embed.down_proj_for_speech"),
    },
    merged_first="vision-lora",
    beside=(),
)
