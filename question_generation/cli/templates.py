"""``strad-qa templates``: kinds of questions out of those that people asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from question_generation.cinepile.templates.clusters import K
from question_generation.cinepile.templates.pipeline import pipeline
from question_generation.cinepile.templates.proposals import Proposal
from question_generation.cinepile.templates.review_file import review_text
from question_generation.cli.checks import must_begin
from question_generation.cli.counted import print_counts
from question_generation.cli.models import Wanted
from question_generation.cli.run import SomeFailedError
from question_generation.cli.shown_progress import ShownProgress
from question_generation.crew import LocalCrew
from question_generation.embeddings.choose import AUTO, CHOICES, embedder
from question_generation.prices import prices_of
from question_generation.run import CACHE, Run
from question_generation.seats import Seats
from question_generation.step_files import Counts
from strad.counted import counted
from strad.errors import InputError
from strad.record import parse_record
from strad.text_file import read_text, write_text

REVIEW, NEW = "templates.csv", "templates.new.csv"
MODELS = "Models"


def templates(
    questions: Annotated[
        Path,
        typer.Argument(
            metavar="QUESTIONS", help="People's questions, JSONL: docs/question-generation.md."
        ),
    ],
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The run's: made, or gone on with.")
    ],
    engine: Annotated[
        str, typer.Option(help="openai:URL, scripted:FILE, ...", rich_help_panel=MODELS)
    ] = "",
    model: Annotated[str, typer.Option(help="Its model.", rich_help_panel=MODELS)] = "",
    models: Annotated[
        Path | None,
        typer.Option(metavar="TOML", help="A model for each role.", rich_help_panel=MODELS),
    ] = None,
    requests: Annotated[
        float | None, typer.Option(min=0.1, help="A minute, at most.", rich_help_panel=MODELS)
    ] = None,
    tokens: Annotated[
        float | None, typer.Option(min=1, help="A minute, at most.", rich_help_panel=MODELS)
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=1024, help="Asked at once.")] = 8,
    deadline: Annotated[float, typer.Option(min=1, help="Seconds for an answer.")] = 300.0,
    price: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL=P,C", help="Of a million tokens of prompts and of answers; repeatable."
        ),
    ] = None,
    k: Annotated[int, typer.Option("--clusters", min=1, help="Of each source.")] = K,
    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=K",
            help="Other clusters of one source, as perception-test=20; repeatable.",
        ),
    ] = None,
    nearest: Annotated[
        bool,
        typer.Option("--nearest", help="Show those next to a cluster's middle, not random ones."),
    ] = False,
    embed: Annotated[str, typer.Option("--embedder", help=f"{', '.join(CHOICES)}.")] = AUTO,
    names_by_model: Annotated[
        bool, typer.Option("--names-by-model", help="Ask a model to replace names, not rules.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    seed: Annotated[int, typer.Option(help="Of all that is drawn.")] = 0,
    redo: Annotated[
        bool, typer.Option("--redo", help="Make anew what differs in a folder of another run.")
    ] = False,
) -> None:
    """Make templates from QUESTIONS, in FOLDER, for a person to review.

    Names are replaced, doubles left out, the rest clustered by meaning; of each cluster a model
    tells four templates. FOLDER/templates.csv is to be looked through: write yes in its column
    keep, mend what is to be mended, then strad-qa bank FOLDER/templates.csv BANK.jsonl.
    """
    made = pipeline(
        embedder(embed),
        k=k,
        by_source=_by_source(source or ()),
        pick="nearest" if nearest else "random",
        names_by_model=names_by_model,
    )
    prices = prices_of(price or ())
    wanted = Wanted(engine, model, models, requests, tokens, at_once, deadline, prices)
    seats = wanted.seats(made.roles)
    job = Run(folder, made, questions, seats.names(), seed, limit, redo)
    must_begin(job, folder / CACHE)
    job.check()
    counts = asyncio.run(_work(job, seats, folder / CACHE, at_once))
    said = _review(job, folder)
    console = Console()
    print_counts(job, counts, console)
    for line in said:
        console.print(line, markup=False, highlight=False)
    failed = sum(one.failed.total() for one in counts)
    if failed:
        raise SomeFailedError(f"{counted(failed, 'record')} failed; the same command tries again")


async def _work(job: Run, seats: Seats, cache: Path, at_once: int) -> list[Counts]:
    with ShownProgress() as progress:
        async with LocalCrew.ready(seats, cache, at_once) as crew:
            return await job.work(crew, progress)


def _review(job: Run, folder: Path) -> list[str]:
    """Write the review file; one that was worked on stays, what is new lies beside it then.

    What is to be said of them.
    """
    with job.files()[-1].records.open(encoding="utf-8") as lines:
        text = review_text(parse_record(Proposal, line) for line in lines)
    path, new = folder / REVIEW, folder / NEW
    if _written(path, text):
        return [f"Review: {path}"]
    kept = "Kept as it is, for it was worked on"
    if _told(path) == _digest(text.encode()):
        return [f"{kept}: {path}"]
    if _written(new, text):
        return [f"{kept}: {path}", f"Review what is proposed now: {new}"]
    return [f"{kept}: {path}", f"{kept}: {new}; move it away to see what is proposed now"]


def _written(path: Path, text: str) -> bool:
    """Whether it is there, as we write it; False where the one that lies there was worked on."""
    if path.exists():
        there = path.read_bytes()
        if there != text.encode() and _told(path) != _digest(there):
            return False
    write_text(path, text, overwrite=True)
    write_text(_mark(path), _digest(text.encode()), overwrite=True)
    return True


def _told(path: Path) -> str:
    """The digest of what we wrote there last."""
    mark = _mark(path)
    return read_text(mark) if mark.exists() else ""


def _mark(path: Path) -> Path:
    return path.with_name(f".{path.name}.sha256")


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _by_source(said: Sequence[str]) -> dict[str, int]:
    found = {}
    for one in said:
        name, _, count = one.rpartition("=")
        if not name or not count.isascii() or not count.isdigit() or int(count) < 1:
            raise InputError(f"--source {one}: write NAME=K, as perception-test=20")
        found[name] = int(count)
    return found
