"""Examples as tensors, and tensors as batches. The loss is of the answer alone."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from training.families.family import Family, Processor, Tensors
from training.rendering import Rendered

UNTAUGHT = -100
"""A label that no loss is taken of."""
_AS_LONG = ("input_ids", "attention_mask", "labels")
_HEARD = "audio_attention_mask"


def encoded(family: Family, processor: Processor, shown: Rendered) -> Tensors:
    """One example: the prompt as it is served, the answer, and labels for the answer and its end.

    Prompt and answer are tokens apart, as they are when it is generated.
    """
    made = family.encode(processor, shown.messages)
    words = processor.tokenizer
    said = words(shown.answer, add_special_tokens=False)["input_ids"]
    answer = torch.tensor([[*said, words.convert_tokens_to_ids(family.end)]])
    prompt = made["input_ids"]
    untaught = torch.full_like(prompt, UNTAUGHT)
    made["input_ids"] = torch.cat([prompt, answer], dim=1)
    made["labels"] = torch.cat([untaught, answer], dim=1)
    made["attention_mask"] = torch.ones_like(made["input_ids"])
    for name in family.beside:
        made[name] = torch.cat([made[name], torch.zeros_like(answer)], dim=1)
    if "audio_input_features" in made and _HEARD not in made:
        heard = made["audio_input_features"]
        made[_HEARD] = torch.ones(heard.shape[:2], dtype=torch.bool)
    return {name: value for name, value in made.items() if torch.is_tensor(value)}


class Collator:
    """Batches of encoded examples: padded at the end to the longest, their media one after another.

    Lives in the processes that load data.
    """

    def __init__(self, family: Family, pad: int) -> None:
        self._fill = {"input_ids": pad, "labels": UNTAUGHT}
        self._long = (*_AS_LONG, *family.beside)

    def __call__(self, examples: Sequence[Tensors]) -> Tensors:
        """One batch."""
        names = dict.fromkeys(name for example in examples for name in example)
        batch = {
            name: _joined([e[name] for e in examples if name in e], self._fill.get(name, 0))
            for name in names
        }
        if _HEARD in batch and batch[_HEARD].shape[0] == 1:
            del batch[_HEARD]  # one sound alone is heard so where it is served
        return batch


def _joined(tensors: Sequence[torch.Tensor], fill: int) -> torch.Tensor:
    """One after another, all other dimensions as large as the largest."""
    shapes = [tensor.shape[1:] for tensor in tensors]
    if all(shape == shapes[0] for shape in shapes):
        return torch.cat(list(tensors))
    largest = [max(sizes) for sizes in zip(*shapes, strict=True)]
    rows = sum(tensor.shape[0] for tensor in tensors)
    joined = tensors[0].new_full((rows, *largest), fill)
    row = 0
    for tensor in tensors:
        place = (slice(row, row + tensor.shape[0]), *(slice(0, size) for size in tensor.shape[1:]))
        joined[place] = tensor
        row += tensor.shape[0]
    return joined
