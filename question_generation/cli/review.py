"""``strad-qa review``: people look at a run's items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.cli.serving import serve
from question_generation.review.agreement import agreement
from question_generation.review.reviews import REVIEWS, ReviewsFile, reviews_in
from question_generation.review.site import ReviewSite
from question_generation.run_folder import RunFolder, sampled
from strad.errors import InputError
from strad_eval.study.media import media_files


def review(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run's.")],
    media: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Each video's file, to be played.")
    ] = None,
    sample: Annotated[int, typer.Option(min=1, help="Items, drawn by the seed.")] = 200,
    seed: Annotated[int, typer.Option(help="Of the draw: the same for all reviewers.")] = 0,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8718,
    agreed: Annotated[
        bool, typer.Option("--agreement", help="Tell how far reviewers agree, as JSON, and end.")
    ] = False,
) -> None:
    """Serve a page on this computer to rate, mend or reject items, with the clip beside each.

    Several people may review, each under a name; reviews.jsonl in FOLDER has what they said, and
    export keeps to it. --agreement tells Krippendorff's alpha.
    """
    run = RunFolder(folder)
    run.counts()
    path = folder / REVIEWS
    if agreed:
        if not path.exists():
            raise InputError(f"{path}: no reviews yet")
        told = json.dumps(agreement(reviews_in(path)), indent=1)
        Console().print(told, markup=False, highlight=False)
        return
    items = [item for item in sampled(run.items(), sample, seed) if item.options]
    if not items:
        raise InputError(f"{folder}: the run made no item to review")
    clips = media_files(media, list(dict.fromkeys(item.video_id for item in items)))
    serve(ReviewSite(items, ReviewsFile(path), clips), port, "The review is")
