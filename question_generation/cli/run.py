"""``strad-qa run``: make questions from scenes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.cinepile.front.embedding import EMBEDDERS, LETTERS
from question_generation.cinepile.front.steps import FILMS, Given
from question_generation.cli.checks import must_begin
from question_generation.cli.counted import print_counts, print_estimate
from question_generation.cli.models import Wanted
from question_generation.cli.shown_progress import ShownProgress
from question_generation.cli.ways import WAYS, way
from question_generation.crew import LocalCrew
from question_generation.estimate import estimate
from question_generation.prices import prices_of
from question_generation.ray_crew import RayCrew
from question_generation.run import CACHE, Run
from question_generation.seats import Seats
from question_generation.step_files import Counts
from strad.counted import counted
from strad.errors import InputError, WorkError

MODELS = "Models"
PIPELINE = "Of one way only"


class SomeFailedError(WorkError):
    """Some records failed."""

    code = "some-failed"


def run(
    pipeline: Annotated[str, typer.Argument(metavar="WAY", help=f"{' or '.join(WAYS)}.")],
    scenes: Annotated[
        Path | None,
        typer.Argument(
            metavar="SCENES",
            help="Scenes, JSONL: docs/question-generation.md. With --film, or jointav's --clips:"
            " videos.",
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="The run's: made, or gone on with.")
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help="For every role that --models does not name: openai:URL, scripted:FILE, ...",
            rich_help_panel=MODELS,
        ),
    ] = "",
    model: Annotated[str, typer.Option(help="Its model.", rich_help_panel=MODELS)] = "",
    models: Annotated[
        Path | None,
        typer.Option(
            metavar="TOML",
            help="A model for each role; --roles lists them.",
            rich_help_panel=MODELS,
        ),
    ] = None,
    roles: Annotated[
        bool,
        typer.Option(
            "--roles", help="List the roles of WAY alone, and end.", rich_help_panel=MODELS
        ),
    ] = False,
    requests: Annotated[
        float | None,
        typer.Option(min=0.1, help="A minute, at most, to each model.", rich_help_panel=MODELS),
    ] = None,
    tokens: Annotated[
        float | None,
        typer.Option(min=1, help="A minute, at most, to each model.", rich_help_panel=MODELS),
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=1024, help="Records worked on at once.")] = 8,
    deadline: Annotated[float, typer.Option(min=1, help="Seconds for an answer.")] = 300.0,
    price: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL=P,C", help="Of a million tokens of prompts and of answers; repeatable."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many scenes.")] = None,
    seed: Annotated[int, typer.Option(help="Of all that is drawn.")] = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Ask nothing: estimate requests, tokens, cost.")
    ] = False,
    ray: Annotated[
        int, typer.Option(metavar="ACTORS", min=0, help="Work by Ray Data, in so many actors.")
    ] = 0,
    redo: Annotated[
        bool, typer.Option("--redo", help="Make anew what differs in a folder of another run.")
    ] = False,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Answers kept; by default FOLDER/answers.sqlite."),
    ] = None,
    clips: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="cinepile: films' clips; train scenes are looked at. jointav: SCENES is then a"
            " file of videos, of which scenes are made.",
            rich_help_panel=PIPELINE,
        ),
    ] = None,
    film: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="cinepile: the described film, media, .vtt or .srt, or a folder of them named by"
            " film_id. SCENES is then a file of videos, each found in its film.",
            rich_help_panel=PIPELINE,
        ),
    ] = None,
    facts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="cinepile: what is known of the films, JSONL.",
            rich_help_panel=PIPELINE,
        ),
    ] = None,
    classifier: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="cinepile, with --film: what train-classifier wrote, in place of our own.",
            rich_help_panel=PIPELINE,
        ),
    ] = None,
    embedding: Annotated[
        str,
        typer.Option(
            help=f"cinepile, with --film: {', '.join(EMBEDDERS)}.", rich_help_panel=PIPELINE
        ),
    ] = LETTERS,
    test_share: Annotated[
        float, typer.Option(min=0, max=1, help="cinepile: of films.", rich_help_panel=PIPELINE)
    ] = 0.1,
    refine: Annotated[
        bool,
        typer.Option(
            "--refine/--no-refine",
            help="cinepile: rewrite what is answered without the film.",
            rich_help_panel=PIPELINE,
        ),
    ] = True,
    templates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="cinepile: a bank of templates, in place of our own (strad-qa bank).",
            rich_help_panel=PIPELINE,
        ),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODE", help="jointav: only these, repeatable.", rich_help_panel=PIPELINE
        ),
    ] = None,
    by_rule: Annotated[
        bool,
        typer.Option(
            "--by-rule",
            help="jointav: sounds by rules, without a model that hears.",
            rich_help_panel=PIPELINE,
        ),
    ] = False,
    filmed: Annotated[
        bool,
        typer.Option(
            "--filmed",
            help="jointav: answerers see and hear the clips, not descriptions of them.",
            rich_help_panel=PIPELINE,
        ),
    ] = False,
) -> None:
    """Make questions from SCENES, in FOLDER.

    The same command goes on where it was broken off, and tries again what failed. Each step's
    records, drops with their reasons, and counts are files of FOLDER: 03-write.jsonl,
    03-write.dropped.jsonl, 03-write.json. Then: strad-qa report FOLDER, review, export.

    To see it run without a model: --engine scripted:FILE, an answer a line.
    """
    console = Console()
    scenes, folder = _named(scenes, folder, may_lack=roles)
    given = Given(film, facts, classifier, embedding, clips or scenes.parent, folder / FILMS)
    plan = given.plan()
    build = partial(
        way,
        pipeline,
        clips=clips,
        test_share=test_share,
        refine=refine,
        templates=templates,
        tasks=task or (),
        by_rule=by_rule,
        filmed=filmed,
    )
    made = build(front=plan)
    if roles:
        for role, does in made.roles.items():
            console.print(f"{role}: {does}", markup=False, highlight=False)
        return
    prices = prices_of(price or ())
    wanted = Wanted(engine, model, models, requests, tokens, at_once, deadline, prices)
    if dry_run:
        names = wanted.seats(made.roles).names() if engine or models else {}
        print_estimate(estimate(made, scenes, folder, limit, names, prices), console)
        return
    seats = wanted.seats(made.roles)
    kept = cache or folder / CACHE
    job = Run(folder, made, scenes, seats.names(), seed, limit, redo)
    must_begin(job, kept, ray, clips)
    if film:
        job = replace(job, pipeline=build(front=asyncio.run(given.ready(plan))))
    job.check()
    counts = asyncio.run(_work(job, seats, kept, at_once, ray))
    print_counts(job, counts, console)
    failed = sum(one.failed.total() for one in counts)
    if failed:
        raise SomeFailedError(f"{counted(failed, 'record')} failed; the same command tries again")


def _named(scenes: Path | None, folder: Path | None, *, may_lack: bool) -> tuple[Path, Path]:
    """Both. Raises InputError where one that is needed was not given."""
    if not may_lack and (scenes is None or folder is None):
        raise InputError("give SCENES and FOLDER too: strad-qa run WAY SCENES FOLDER")
    return scenes or Path(), folder or Path()


async def _work(job: Run, seats: Seats, cache: Path, at_once: int, actors: int) -> list[Counts]:
    with ShownProgress() as progress:
        if actors:
            return await job.work(RayCrew(seats, cache, actors, at_once), progress)
        async with LocalCrew.ready(seats, cache, at_once) as crew:
            return await job.work(crew, progress)
