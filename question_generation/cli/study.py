"""``strad-qa study``: people answer a run's items, as in CinePile's study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.answering.answers import ANSWERS, AnswersFile, answers_in, results
from question_generation.answering.site import StudySite
from question_generation.cli.serving import serve
from question_generation.run_folder import RunFolder
from strad.errors import InputError
from strad_eval.study.media import media_files


def study(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run's.")],
    media: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Each video's file, to be played.")
    ] = None,
    split: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only items of this split.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of what each participant is asked.")] = 0,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8719,
    results_only: Annotated[
        bool, typer.Option("--results", help="Tell accuracy and the audit list as JSON, and end.")
    ] = False,
) -> None:
    """Serve CinePile's answering study on this computer: consent, ten questions over two clips.

    Answers are in study-answers.jsonl in FOLDER, under random codes. --results tells accuracy by
    category and which items people got wrong: those are to be looked at again.
    """
    run = RunFolder(folder)
    items = [item for item in run.items() if item.options and split in (None, item.split)]
    if not items:
        raise InputError(f"{folder}: no item to ask about")
    path = folder / ANSWERS
    if results_only:
        if not path.exists():
            raise InputError(f"{path}: no answers yet")
        told = results({item.id: item for item in items}, answers_in(path))
        Console().print(json.dumps(told, indent=1, ensure_ascii=False), markup=False)
        return
    clips = media_files(media, list(dict.fromkeys(item.video_id for item in items)))
    serve(StudySite(items, AnswersFile(path), seed, clips), port, "The study is")
