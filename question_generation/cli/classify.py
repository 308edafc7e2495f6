"""``strad-qa classify``: descriptions told from dialogue."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.cinepile.front.classifier import classifier
from question_generation.cinepile.front.labelled import DIALOGUE, LABELLED, VISUAL, Labelled
from question_generation.cinepile.front.sentence_files import sentences_in
from strad.counted import counted
from strad.errors import InputError
from strad.text_file import refuse_output, write_text


def classify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=".vtt, .srt, .txt (a sentence a line) or .jsonl.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="JSONL", help="By default on standard output."),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="What train-classifier wrote: a file (--small) or a BERT's folder. By default"
            " the small model that ships, which needs no hub and no PyTorch.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Tell for each sentence of FILE whether it describes what is seen, or is dialogue.

    A described film's transcript holds both. One line of JSON comes out for each sentence, in
    order, with its times where FILE has them:

    {"text": "She smiles.", "kind": "visual", "visual": 0.98, "start": 1.0, "end": 1.7}

    "visual" is how likely it is a description; from 0.5 on the kind is visual.
    """
    if out is not None:
        refuse_output(out, overwrite=force, option="--force")
    sentences = sentences_in(file)
    if not sentences:
        raise InputError(f"{file}: no sentences in it")
    likely = classifier(model).visual([one.text for one in sentences])
    found = [
        Labelled.model_validate(
            {
                "text": one.text,
                "kind": VISUAL if visual >= 0.5 else DIALOGUE,
                "visual": round(visual, 4),
                **one.model_dump(include={"start", "end"}, exclude_unset=True),
            }
        )
        for one, visual in zip(sentences, likely, strict=True)
    ]
    if out is None:
        sys.stdout.write(LABELLED.write(found))
        return
    write_text(out, LABELLED.write(found), overwrite=force)
    many = Counter(one.kind for one in found)
    seen, spoken = counted(many[VISUAL], "description"), counted(many[DIALOGUE], "line")
    said = f"{out}: {seen}, {spoken} of dialogue"
    Console().print(said, markup=False, highlight=False)
