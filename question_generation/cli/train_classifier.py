"""``strad-qa train-classifier``: the small model that ships, or a BERT as in the paper."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.cinepile.front.bert import read_bert
from question_generation.cinepile.front.bert_training import Recipe, fine_tune
from question_generation.cinepile.front.classifier import Classifier, kinds
from question_generation.cinepile.front.corpus import own_corpus
from question_generation.cinepile.front.labelled import Labelled
from question_generation.cinepile.front.measured import measured, parted
from question_generation.cinepile.front.sentence_files import labelled_in
from question_generation.cinepile.front.small_training import train
from strad.counted import counted
from strad.errors import InputError
from strad.text_file import refuse_output, write_text

BERT = "Of a BERT only"


def train_classifier(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="A new folder; with --small a file, .json.")
    ],
    sentences: Annotated[
        Path | None,
        typer.Argument(
            metavar="SENTENCES",
            help='JSONL, a line each: {"text": "She smiles.", "kind": "visual"} or "dialogue".'
            " By default the sentences that ship, 675 of our own writing.",
        ),
    ] = None,
    small: Annotated[
        bool, typer.Option("--small", help="The small model: seconds, no PyTorch, no hub.")
    ] = False,
    base: Annotated[
        str,
        typer.Option(metavar="MODEL", help="A folder or hub name.", rich_help_panel=BERT),
    ] = Recipe().base,
    epochs: Annotated[int, typer.Option(min=1, rich_help_panel=BERT)] = 3,
    batch: Annotated[int, typer.Option(min=1, rich_help_panel=BERT)] = 32,
    rate: Annotated[float, typer.Option(min=0, rich_help_panel=BERT)] = 2e-5,
    held_out: Annotated[
        float, typer.Option(min=0, max=0.9, help="Share of each kind that is only measured on.")
    ] = 0.2,
    seed: Annotated[int, typer.Option(help="Of all that is drawn.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Train what tells descriptions from dialogue, as CinePile's paper does: BERT, three epochs.

    First on all but the sentences held out, to measure; the one that is written learns from all
    of them. --held-out 0 leaves the measuring out. Then: strad-qa classify FILE --model OUT.

    `strad-qa train-classifier sentences.json --small` writes the very file that ships.
    A BERT needs pip install 'strad[local]', and --base a folder where no hub is reached.
    """
    if not small and out.exists():
        raise InputError(f"{out}: exists already; name a new folder")
    refuse_output(out, overwrite=force, option="--force")
    told = own_corpus() if sentences is None else labelled_in(sentences)
    console = Console()
    recipe = Recipe(base, epochs, batch, rate, seed=seed)
    seen, held = parted(told, held_out, seed)
    if held:
        console.print(_measured(seen, held, recipe, small=small), markup=False, highlight=False)
    if small:
        write_text(out, train(told, seed=seed).text(), overwrite=force)
    else:
        fine_tune(told, out, recipe, console.print)
    console.print(
        f"{out}: learned from {counted(len(told), 'sentence')}", markup=False, highlight=False
    )


def _measured(seen: list[Labelled], held: list[Labelled], recipe: Recipe, *, small: bool) -> str:
    found = kinds([one.text for one in held], _trained(seen, recipe, small=small))
    result = measured([one.kind for one in held], found)
    return (
        f"held out {len(held):,}: macro-F1 {result.macro_f1:.3f}, accuracy {result.accuracy:.3f}"
        f" ({result.visual_dialogue} descriptions taken for dialogue,"
        f" {result.dialogue_visual} lines of dialogue for descriptions)"
    )


def _trained(seen: list[Labelled], recipe: Recipe, *, small: bool) -> Classifier:
    if small:
        return train(seen, seed=recipe.seed)
    with tempfile.TemporaryDirectory(prefix="strad-") as folder:
        fine_tune(seen, Path(folder, "bert"), recipe)
        return read_bert(Path(folder, "bert"))
