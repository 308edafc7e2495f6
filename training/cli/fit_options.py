"""What ``fit``, ``sweep`` and ``ablate`` have in common on the command line."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from strad.errors import MissingModelError
from training.augmentations import AUGMENTATIONS
from training.config import Modality, Precision

LENGTH, MODEL, MACHINE = "How long", "What is trained", "On what machine"

Data: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DATA", help="A folder that strad-train prepare made.")
]
Base: TypeAlias = Annotated[
    str, typer.Argument(metavar="BASE", help="The model: a folder, or owner/name on the hub.")
]
ProfileName: TypeAlias = Annotated[
    str,
    typer.Option("--profile", help="How it is asked.", show_default="its family's first"),
]
Epochs: TypeAlias = Annotated[
    float, typer.Option(min=0.001, help="Times through the data.", rich_help_panel=LENGTH)
]
Steps: TypeAlias = Annotated[
    int, typer.Option(min=0, help="So many steps, in place of epochs.", rich_help_panel=LENGTH)
]
Evaluations: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Evaluations in each epoch.", rich_help_panel=LENGTH)
]
EvaluateEvery: TypeAlias = Annotated[
    int, typer.Option(min=0, help="Steps between evaluations.", rich_help_panel=LENGTH)
]
Patience: TypeAlias = Annotated[
    int,
    typer.Option(
        min=0, help="End after so many evaluations without gain; 0: don't.", rich_help_panel=LENGTH
    ),
]
Rate: TypeAlias = Annotated[
    float,
    typer.Option(
        "--learning-rate",
        min=0,
        help="The highest.",
        show_default="9.2e-5 for Phi-4-multimodal, 4.3e-5 for Qwen3.5",
        rich_help_panel=MODEL,
    ),
]
Batch: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Examples a step, all GPUs together.", rich_help_panel=MODEL)
]
Rank: TypeAlias = Annotated[int, typer.Option(min=1, help="LoRA's.", rich_help_panel=MODEL)]
Alpha: TypeAlias = Annotated[int, typer.Option(min=1, help="LoRA's.", rich_help_panel=MODEL)]
Warmup: TypeAlias = Annotated[
    float,
    typer.Option(min=0, max=0.99, help="Share of steps the rate rises.", rich_help_panel=MODEL),
]
Decay: TypeAlias = Annotated[
    float, typer.Option("--weight-decay", min=0, help="AdamW's.", rich_help_panel=MODEL)
]
Drop: TypeAlias = Annotated[
    list[Modality] | None,
    typer.Option(help="Not shown, not taught; repeatable.", rich_help_panel=MODEL),
]
Augment: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help=f"none, or of {', '.join(AUGMENTATIONS)}; repeatable.",
        show_default="all but segment and audio",
        rich_help_panel=MODEL,
    ),
]
Samples: TypeAlias = Annotated[
    int, typer.Option(min=0, help="Examples answered and scored at each evaluation.")
]
Validated: TypeAlias = Annotated[
    int, typer.Option(min=0, help="Validation examples at most; 0: all.", rich_help_panel=LENGTH)
]
AtOnce: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Examples in a GPU at a time.", rich_help_panel=MACHINE)
]
Computed: TypeAlias = Annotated[
    Precision,
    typer.Option(help="auto: bfloat16 where a GPU has it.", rich_help_panel=MACHINE),
]
Checkpointing: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--checkpointing/--no-checkpointing",
        help="Compute activations twice to save memory.",
        rich_help_panel=MACHINE,
    ),
]
Workers: TypeAlias = Annotated[
    int, typer.Option(min=0, help="Processes that read data.", rich_help_panel=MACHINE)
]
Device: TypeAlias = Annotated[
    str, typer.Option(help="cpu, or empty: a GPU if any.", rich_help_panel=MACHINE)
]
Seed: TypeAlias = Annotated[int, typer.Option(min=0, help="Of all that is drawn.")]

_NEEDS = ("torch", "transformers", "peft", "accelerate", "tensorboard")


def augmented(names: list[str] | None, default: tuple[str, ...]) -> tuple[str, ...]:
    """What was asked for; ``none`` stands for none."""
    if names is None:
        return default
    return tuple(name for name in names if name != "none")


def must_have(command: str, *others: str) -> None:
    """Raises MissingModelError where what trains is not installed."""
    missing = [module for module in (*_NEEDS, *others) if find_spec(module) is None]
    if missing:
        raise MissingModelError(
            f"strad-train {command} needs {' and '.join(missing)}: pip install 'strad[train]'"
        )
