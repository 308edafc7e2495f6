"""A Qwen3.5 of about a million parameters: the real architecture, tokenizer class and processor.

Its sizes are the smallest that both transformers and vLLM's kernels for CPUs take: heads of 64,
linear heads of 128, mrope sections that add up to head_dim * 0.25 / 2.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import (
    GenerationConfig,
    Qwen2VLImageProcessor,
    Qwen3_5Config,
    Qwen3_5ForConditionalGeneration,
    Qwen3_5Tokenizer,
    Qwen3VLProcessor,
    Qwen3VLVideoProcessor,
)
from transformers.models.qwen3_5.tokenization_qwen3_5 import PRETOKENIZE_REGEX

SPECIAL = {
    "image_token": "<|image_pad|>",
    "video_token": "<|video_pad|>",
    "vision_start_token": "<|vision_start|>",
    "vision_end_token": "<|vision_end|>",
    "im_start_token": "<|im_start|>",
    "im_end_token": "<|im_end|>",
}

CHAT_TEMPLATE = (
    "{%- for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}"
    "{%- if m.content is string %}{{ m.content }}{%- else %}{%- for c in m.content %}"
    "{%- if c.type in ('image', 'image_url') %}"
    "{{ '<|vision_start|><|image_pad|><|vision_end|>' }}"
    "{%- elif c.type in ('video', 'video_url') %}"
    "{{ '<|vision_start|><|video_pad|><|vision_end|>' }}"
    "{%- elif 'text' in c %}{{ c.text }}{%- endif %}{%- endfor %}{%- endif %}"
    "{{ '<|im_end|>\\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}"
    "{%- if enable_thinking is defined and enable_thinking %}{{ '<think>\\n' }}{%- endif %}"
    "{%- endif %}"
)
"""ChatML, as the family has it; thinking only where it is asked for."""


@dataclass(frozen=True, slots=True)
class Size:
    """What may differ between tiny models."""

    vocabulary: int = 640
    layers: int = 4
    attention_every: int = 2
    hidden: int = 128
    vision_depth: int = 2
    vision_hidden: int = 128
    pixels: int = 8 * 64 * 64
    """The most a video's frames have together."""


def tokenizer(corpus: Iterable[str], size: Size) -> Any:
    """A byte-level BPE that knows the words of ``corpus``."""
    bpe = Tokenizer(models.BPE())
    bpe.normalizer = normalizers.NFC()
    bpe.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PRETOKENIZE_REGEX), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size.vocabulary - len(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=[],
        show_progress=False,
    )
    bpe.train_from_iterator(corpus, trainer)
    model = json.loads(bpe.to_str())["model"]
    made = Qwen3_5Tokenizer(
        vocab=model["vocab"],
        merges=[tuple(merge) for merge in model["merges"]],
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        extra_special_tokens=SPECIAL,
        model_max_length=8192,
    )
    made.chat_template = CHAT_TEMPLATE
    return made


def processor(words: Any, size: Size) -> Any:
    """Pictures and words to what the model takes."""
    images = Qwen2VLImageProcessor(
        patch_size=16,
        temporal_patch_size=2,
        merge_size=2,
        size={"shortest_edge": 32 * 32, "longest_edge": size.pixels // 8},
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
    )
    videos = Qwen3VLVideoProcessor(
        patch_size=16,
        temporal_patch_size=2,
        merge_size=2,
        size={"shortest_edge": 2 * 32 * 32, "longest_edge": size.pixels},
        cap_pixels_per_frame=False,
    )
    return Qwen3VLProcessor(
        image_processor=images,
        tokenizer=words,
        video_processor=videos,
        chat_template=CHAT_TEMPLATE,
    )


def model(words: Any, size: Size, seed: int = 0) -> Any:
    """Random weights, float32."""
    made = _config(words, size)
    made.architectures = ["Qwen3_5ForConditionalGeneration"]
    torch.manual_seed(seed)
    fresh = Qwen3_5ForConditionalGeneration(made)
    ids = words.convert_tokens_to_ids
    fresh.generation_config = GenerationConfig(
        eos_token_id=ids("<|im_end|>"), pad_token_id=ids("<|endoftext|>")
    )
    return fresh


def _config(words: Any, size: Size) -> Any:
    ids = words.convert_tokens_to_ids
    return Qwen3_5Config(
        text_config=_text(len(words), ids, size),
        vision_config=_vision(size),
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
        tie_word_embeddings=True,
    )


def _text(vocabulary: int, ids: Callable[[str], int], size: Size) -> dict[str, Any]:
    return {
        "vocab_size": -(-vocabulary // 64) * 64,
        "hidden_size": size.hidden,
        "intermediate_size": 2 * size.hidden,
        "num_hidden_layers": size.layers,
        "full_attention_interval": size.attention_every,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 64,
        "linear_num_key_heads": 1,
        "linear_num_value_heads": 2,
        "linear_key_head_dim": 128,
        "linear_value_head_dim": 128,
        "max_position_embeddings": 8192,
        "tie_word_embeddings": True,
        "bos_token_id": None,
        "eos_token_id": ids("<|im_end|>"),
        "pad_token_id": ids("<|endoftext|>"),
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 1e7,
            "partial_rotary_factor": 0.25,
            "mrope_section": [3, 3, 2],
            "mrope_interleaved": True,
        },
    }


def _vision(size: Size) -> dict[str, Any]:
    return {
        "depth": size.vision_depth,
        "hidden_size": size.vision_hidden,
        "intermediate_size": 2 * size.vision_hidden,
        "num_heads": 2,
        "patch_size": 16,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "out_hidden_size": size.hidden,
        "num_position_embeddings": 256,
        "in_channels": 3,
    }
