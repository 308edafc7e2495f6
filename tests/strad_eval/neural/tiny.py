"""Tiny models with random weights, made in the test and saved as checkpoints are."""

from __future__ import annotations

from pathlib import Path

SENTENCES = [
    "A man walks into the room.",
    "She opens the window and looks out.",
    "He sits on the sofa.",
    "She smiles.",
    "The car stops at the kerb; two men get out.",
]


def roberta(folder: Path, seed: int = 0) -> Path:
    """A RoBERTa of two layers, with a byte tokenizer trained on a few sentences."""
    import torch
    from transformers import RobertaConfig, RobertaModel

    torch.manual_seed(seed)
    size = _tokenizer(folder)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = RobertaConfig(
        vocab_size=size,
        intermediate_size=32,
        max_position_embeddings=130,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        **sizes,
    )
    RobertaModel(config).save_pretrained(folder)
    return folder


def decoder(folder: Path) -> Path:
    """A Qwen2 of two layers with the same tokenizer."""
    import torch
    from transformers import Qwen2Config, Qwen2Model

    torch.manual_seed(0)
    size = _tokenizer(folder)
    config = Qwen2Config(
        vocab_size=size,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        pad_token_id=1,
    )
    Qwen2Model(config).save_pretrained(folder)
    return folder


def _tokenizer(folder: Path) -> int:
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaTokenizerFast

    folder.mkdir(exist_ok=True)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained = ByteLevelBPETokenizer(add_prefix_space=True)
    trained.train_from_iterator(SENTENCES, vocab_size=300, special_tokens=special)
    trained.save_model(str(folder))
    found = RobertaTokenizerFast(
        vocab=str(folder / "vocab.json"),
        merges=str(folder / "merges.txt"),
        add_prefix_space=True,
        model_max_length=128,
    )
    found.save_pretrained(folder)
    return len(found)
