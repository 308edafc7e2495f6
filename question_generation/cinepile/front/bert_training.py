"""Fine-tuning a BERT to tell descriptions from dialogue, as the paper did: three epochs, AdamW."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from question_generation.cinepile.front.bert import CLASSES, coded, load
from question_generation.cinepile.front.labelled import Labelled
from strad.errors import InputError


@dataclass(frozen=True, slots=True)
class Recipe:
    """Of the training. The paper names the base and the epochs; the rest is usual for it."""

    base: str = "bert-base-uncased"
    """A folder, or a name on the hub."""
    epochs: int = 3
    batch: int = 32
    rate: float = 2e-5
    warm: float = 0.1
    """The share of all steps in which the rate rises; after them it falls to 0."""
    seed: int = 0


def fine_tune(
    sentences: Sequence[Labelled],
    out: Path,
    recipe: Recipe,
    told: Callable[[str], None] = lambda said: None,
) -> None:
    """Train on all of them and write model and tokenizer to the folder ``out``.

    Raises InputError for fewer than a batch, MissingModelError without PyTorch or the base.
    """
    if len(sentences) < recipe.batch:
        raise InputError(f"{len(sentences)} sentences are too few for batches of {recipe.batch}")
    classes = dict(enumerate(CLASSES))
    model, tokenizer = load(
        recipe.base,
        num_labels=len(classes),
        id2label=classes,
        label2id={name: at for at, name in classes.items()},
        ignore_mismatched_sizes=True,
    )
    import torch

    torch.manual_seed(recipe.seed)
    _fresh_head(model)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    _train(model.to(device), tokenizer, sentences, recipe, told)
    out.mkdir(parents=True, exist_ok=True)
    model.to("cpu").save_pretrained(out)
    tokenizer.save_pretrained(out)


def _fresh_head(model: Any) -> None:  # noqa: ANN401 of transformers
    """Its classes are ours: whatever head the base had, it begins anew, and from the seed."""
    head = model.classifier
    head.weight.data.normal_(mean=0.0, std=0.02)
    head.bias.data.zero_()


def _train(
    model: Any,  # noqa: ANN401
    tokenizer: Any,  # noqa: ANN401
    sentences: Sequence[Labelled],
    recipe: Recipe,
    told: Callable[[str], None],
) -> None:
    import torch

    chance, order = Random(recipe.seed), list(range(len(sentences)))
    steps = recipe.epochs * -(-len(order) // recipe.batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=recipe.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda at: _share(at, steps, recipe))
    model.train()
    for epoch in range(recipe.epochs):
        chance.shuffle(order)
        lost = 0.0
        for first in range(0, len(order), recipe.batch):
            batch = [sentences[at] for at in order[first : first + recipe.batch]]
            inputs = coded(tokenizer, [one.text for one in batch]).to(model.device)
            labels = torch.tensor([CLASSES.index(one.kind) for one in batch], device=model.device)
            loss = model(**inputs, labels=labels).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
            lost += float(loss.detach()) * len(batch)
        told(f"epoch {epoch + 1} of {recipe.epochs}: loss {lost / len(order):.4f}")


def _share(at: int, steps: int, recipe: Recipe) -> float:
    """Of the rate, at this step."""
    warm = max(1, round(recipe.warm * steps))
    return (at + 1) / warm if at < warm else max(0.0, (steps - at) / max(1, steps - warm))
