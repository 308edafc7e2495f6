"""Checkpoints of a real model's shape whose weights mean nothing: its speed, before it is there.

Sizes are as the family publishes them, as far as they were known when this was written; what is
measured says how many parameters there were. The tokenizer is made on the spot of the words that
will be asked, so that prompts are about as long as with the real one.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    GenerationConfig,
    Qwen2VLImageProcessor,
    Qwen3_5Config,
    Qwen3_5ForConditionalGeneration,
    Qwen3_5Tokenizer,
    Qwen3VLProcessor,
    Qwen3VLVideoProcessor,
)

from strad.errors import InputError, WorkError
from strad_engines.memory_needed import free_memory, require_memory

SPECIAL = {
    "image_token": "<|image_pad|>",
    "video_token": "<|video_pad|>",
    "vision_start_token": "<|vision_start|>",
    "vision_end_token": "<|vision_end|>",
    "im_start_token": "<|im_start|>",
    "im_end_token": "<|im_end|>",
}
TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}"
    "{% if m.content is string %}{{ m.content }}{% else %}{% for c in m.content %}"
    "{% if c.type == 'image' %}{{ '<|vision_start|><|image_pad|><|vision_end|>' }}"
    "{% elif c.type == 'video' %}{{ '<|vision_start|><|video_pad|><|vision_end|>' }}"
    "{% elif 'text' in c %}{{ c.text }}{% endif %}{% endfor %}{% endif %}"
    "{{ '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
SHARD = 2 << 30
"""Bytes of one file of weights."""
NOISE = 1 << 20
"""Weights are this many random numbers, over and over."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of one Qwen3.5."""

    hidden: int
    intermediate: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    linear_key_heads: int
    linear_value_heads: int
    vision_depth: int
    vision_hidden: int
    vision_intermediate: int
    vision_heads: int
    vocabulary: int = 248_320
    pixels: int = 8 * 640 * 384
    """The most a video's frames have together: none of ours is scaled down."""


SHAPES = {
    "qwen35-4b": Shape(2560, 9216, 32, 16, 4, 256, 16, 32, 24, 1024, 4096, 16),
    "qwen35-0.8b": Shape(1024, 3584, 24, 8, 2, 256, 16, 16, 12, 768, 3072, 12),
    "tiny": Shape(128, 256, 4, 2, 1, 64, 1, 2, 2, 128, 256, 2, vocabulary=1024, pixels=8 * 64 * 64),
}


def write_dummy(name: str, folder: Path, corpus: Iterable[str]) -> int:
    """Write the checkpoint ``name`` into ``folder``; how many parameters it has.

    Raises InputError for a name that is none, WorkError where memory or disk has no room.
    """
    shape = _shape(name)
    words = _tokenizer(corpus, shape)
    config = _config(words, shape)
    with torch.device("meta"):
        model = Qwen3_5ForConditionalGeneration(config)
    shapes = {k: tuple(v.shape) for k, v in model.state_dict().items() if k != "lm_head.weight"}
    count: int = sum(math.prod(shape) for shape in shapes.values())
    require_memory(f"the dummy {name}", 2 * count, SHARD, free_memory(), "here")
    free = shutil.disk_usage(folder).free
    if free < 2 * count + SHARD:
        raise WorkError(f"too little room in {folder} for the dummy {name}: {free >> 30} GiB free")
    _write_weights(folder, shapes)
    config.save_pretrained(folder)
    ends = words.convert_tokens_to_ids("<|im_end|>")
    GenerationConfig(eos_token_id=ends, pad_token_id=ends).save_pretrained(folder)
    _processor(words, shape).save_pretrained(folder)
    return count


def _shape(name: str) -> Shape:
    if name not in SHAPES:
        raise InputError(f"no dummy {name!r}: there are {', '.join(SHAPES)}")
    return SHAPES[name]


def _write_weights(folder: Path, shapes: dict[str, tuple[int, ...]]) -> None:
    noise = (torch.randn(NOISE, generator=torch.Generator().manual_seed(0)) * 0.02).bfloat16()
    placed: dict[str, str] = {}
    for number, names in enumerate(_shards(shapes)):
        file = f"model-{number:05d}.safetensors"
        tensors = {name: _filled(noise, shapes[name]) for name in names}
        save_file(tensors, folder / file, metadata={"format": "pt"})
        placed.update(dict.fromkeys(names, file))
    total = 2 * sum(math.prod(shape) for shape in shapes.values())
    index = {"metadata": {"total_size": total}, "weight_map": placed}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")


def _shards(shapes: dict[str, tuple[int, ...]]) -> Iterator[list[str]]:
    names: list[str] = []
    size = 0
    for name, shape in shapes.items():
        names.append(name)
        size += 2 * math.prod(shape)
        if size >= SHARD:
            yield names
            names, size = [], 0
    if names:
        yield names


def _filled(noise: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    count = math.prod(shape)
    return noise.repeat(-(-count // NOISE))[:count].reshape(shape).contiguous()


def _tokenizer(corpus: Iterable[str], shape: Shape) -> Qwen3_5Tokenizer:
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=min(shape.vocabulary, 16_384) - len(SPECIAL) - 1,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
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
        model_max_length=32_768,
    )
    made.chat_template = TEMPLATE
    return made


def _processor(words: Qwen3_5Tokenizer, shape: Shape) -> Qwen3VLProcessor:
    common = {"patch_size": 16, "temporal_patch_size": 2, "merge_size": 2}
    images = Qwen2VLImageProcessor(
        **common, size={"shortest_edge": 32 * 32, "longest_edge": shape.pixels // 8}
    )
    videos = Qwen3VLVideoProcessor(
        **common,
        size={"shortest_edge": 2 * 32 * 32, "longest_edge": shape.pixels},
        cap_pixels_per_frame=False,
    )
    return Qwen3VLProcessor(
        image_processor=images, tokenizer=words, video_processor=videos, chat_template=TEMPLATE
    )


def _config(words: Qwen3_5Tokenizer, shape: Shape) -> Qwen3_5Config:
    ids = words.convert_tokens_to_ids
    vision = {
        "depth": shape.vision_depth,
        "hidden_size": shape.vision_hidden,
        "intermediate_size": shape.vision_intermediate,
        "num_heads": shape.vision_heads,
        "out_hidden_size": shape.hidden,
    }
    return Qwen3_5Config(
        text_config=_text(shape, ids("<|im_end|>")),
        vision_config=vision,
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
        tie_word_embeddings=True,
        architectures=["Qwen3_5ForConditionalGeneration"],
        dtype="bfloat16",
    )


def _text(shape: Shape, end: int) -> dict[str, object]:
    rotary = shape.head_dim // 8  # a quarter of it turns, in pairs
    height = rotary * 3 // 8
    return {
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "linear_num_key_heads": shape.linear_key_heads,
        "linear_num_value_heads": shape.linear_value_heads,
        "max_position_embeddings": 32_768,
        "tie_word_embeddings": True,
        "eos_token_id": end,
        "pad_token_id": end,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 1e7,
            "partial_rotary_factor": 0.25,
            "mrope_section": [height, height, rotary - 2 * height],
            "mrope_interleaved": True,
        },
    }
