"""A Phi-4-multimodal of under a million random parameters: sees pictures of 448 pixels, and hears.

Its picture size must stay the real one: the processor counts 256 tokens a crop, come what may.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    Phi4MultimodalConfig,
    Phi4MultimodalFeatureExtractor,
    Phi4MultimodalForCausalLM,
    Phi4MultimodalImageProcessor,
    Phi4MultimodalProcessor,
    PreTrainedTokenizerFast,
)

SPECIAL = (
    "<|endoftext|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|end|>",
    "<|image|>",
    "<|audio|>",
)
CHAT_TEMPLATE = (
    "{% for m in messages %}{{ '<|' + m['role'] + '|>' + m['content'] + '<|end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
HIDDEN = 128


def save_phi(out: Path) -> None:
    """Write model and processor."""
    words = _tokenizer()
    torch.manual_seed(0)
    model = Phi4MultimodalForCausalLM(_config(words))
    model.generation_config.eos_token_id = words.eos_token_id
    model.generation_config.pad_token_id = words.pad_token_id
    model.to(torch.bfloat16).save_pretrained(out)
    images = Phi4MultimodalImageProcessor(dynamic_hd=1)
    Phi4MultimodalProcessor(images, Phi4MultimodalFeatureExtractor(), words).save_pretrained(out)


def _tokenizer() -> Any:
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=list(SPECIAL),
        show_progress=False,
    )
    bpe.train_from_iterator(["AD (t=2.5) A woman opens the door. (t=4.0)", "WAIT"] * 50, trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        eos_token="<|end|>",
        pad_token="<|endoftext|>",
        bos_token="<|endoftext|>",
        unk_token="<|endoftext|>",
        extra_special_tokens={"image_token": "<|image|>", "audio_token": "<|audio|>"},
    )
    made.chat_template = CHAT_TEMPLATE
    return made


def _config(words: Any) -> Any:
    ids = words.convert_tokens_to_ids
    vision = {
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "image_size": 448,
        "crop_size": 448,
        "patch_size": 14,
        "image_token_id": ids("<|image|>"),
    }
    audio = {
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_blocks": 2,
        "num_attention_heads": 2,
        "ext_pw_out_channel": 64,
        "depthwise_separable_out_channel": 64,
        "nemo_conv_channels": 64,
        "audio_token_id": ids("<|audio|>"),
    }
    rope = {"rope_type": "default", "rope_theta": 10_000.0, "partial_rotary_factor": 0.75}
    return Phi4MultimodalConfig(
        vocab_size=-(-len(words) // 64) * 64,
        hidden_size=HIDDEN,
        intermediate_size=2 * HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=8192,
        original_max_position_embeddings=8192,
        tie_word_embeddings=True,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
        rope_parameters=rope,
        vision_config=vision,
        audio_config=audio,
    )
