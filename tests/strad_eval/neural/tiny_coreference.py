"""Makes a tiny FCoref in the folder given: run in the environment that has fastcoref."""

from __future__ import annotations

import sys
from pathlib import Path

SENTENCES = ["A man walks into the room.", "She opens the window.", "Ann and Bob sit."]


def main(folder: Path) -> None:
    """Random weights and a byte tokenizer, saved as checkpoints are."""
    import torch
    from fastcoref.coref_models.modeling_fcoref import FCorefModel
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaTokenizerFast

    folder.mkdir()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained = ByteLevelBPETokenizer(add_prefix_space=True)
    trained.train_from_iterator(SENTENCES, vocab_size=300, special_tokens=special)
    trained.save_model(str(folder))
    files = {"vocab_file": str(folder / "vocab.json"), "merges_file": str(folder / "merges.txt")}
    tokenizer = RobertaTokenizerFast(**files, add_prefix_space=True, model_max_length=128)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=130,
        pad_token_id=1,
    )
    config.coref_head = {
        "max_span_length": 10,
        "top_lambda": 0.25,
        "ffnn_size": 8,
        "dropout_prob": 0.0,
        "max_segment_len": 64,
    }
    FCorefModel(config).save_pretrained(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
