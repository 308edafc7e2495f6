"""``strad-eval ask``: put a benchmark's questions to a model, then score what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from strad.counted import counted
from strad.errors import WorkError
from strad.text_file import refuse_folder, refuse_output, write_text
from strad_engines.engine import ChatEngine
from strad_engines.messages import Generated
from strad_engines.openai_engine import OpenAIEngine
from strad_eval.asking.material import Sources
from strad_eval.asking.run import Outcome, Plan, ask_all
from strad_eval.asking.shown import WAYS, Shown, shown
from strad_eval.cli.mcq import AnswerKeyFile, BenchmarkName, McqReading, QuestionsFile
from strad_eval.cli.options import Force
from strad_eval.cli.server_options import AtOnce, Extra, Key, members
from strad_eval.judges.answer_book import AnswerBook
from strad_eval.mcq.item import Item
from strad_eval.mcq.questions import Benchmark
from strad_eval.mcq.replies import REPLIES, RepliesHeader
from strad_eval.mcq.report import mcq_sheet
from strad_eval.mcq.scoring import QuestionSet, checked, score_answers
from strad_eval.prompts.prompt import Prompt, prompt
from strad_eval.reports.sheet import print_sheet

PROMPTS: dict[Benchmark, str] = {"cinepile": "mcq_cinepile_v1", "jointav": "mcq_jointav_v1"}
BOOK = "answers-kept.jsonl"

Folder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="OUT", help="A folder for answers; made if it isn't there.")
]
Show: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="WAY", help=f"What the model is shown, repeatable: {', '.join(WAYS)}."),
]
Place: TypeAlias = Annotated[Path | None, typer.Option(metavar="FOLDER")]


class EngineFailedError(WorkError):
    """Some questions got no answer."""

    code = "unanswered"


@dataclass(frozen=True, slots=True)
class Server:
    """The model and where it is."""

    url: str
    model: str
    key: str | None
    extra: Mapping[str, Any]


def ask(
    questions: QuestionsFile,
    out: Folder,
    benchmark: BenchmarkName,
    url: Annotated[str, typer.Option(help="An OpenAI-compatible server, with /v1.")],
    model: Annotated[str, typer.Option(help="The model's name there.")],
    show: Show = None,
    dialogue: Annotated[
        bool, typer.Option("--dialogue/--no-dialogue", help="Give what is said as text.")
    ] = False,
    frames: Annotated[int, typer.Option(min=1, max=512, help="Evenly spaced frames.")] = 32,
    frames_from: Place = None,
    audio_from: Place = None,
    videos: Place = None,
    transcripts: Place = None,
    shuffle: Annotated[
        bool | None, typer.Option("--shuffle/--no-shuffle", help="Options; jointav: yes.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the shuffle and of decoding.")] = 0,
    max_tokens: Annotated[int, typer.Option(min=1, help="Of an answer.")] = 16,
    deadline: Annotated[float, typer.Option(min=1, help="Seconds for an answer.")] = 120.0,
    at_once: AtOnce = 4,
    key: Key = None,
    extra: Extra = "",
    answer_key: AnswerKeyFile = None,
    reading: McqReading = None,
    force: Force = False,
) -> None:
    """Ask the model every question, in each WAY, and score the answers side by side.

    Answers are kept in OUT as they come: the same command goes on where it broke off. Frames come
    from folders of pictures, or from videos; sound from WAV files, or from videos.
    """
    named = checked(benchmark)
    given = QuestionSet(questions, named, answer_key, tuple(reading or ()))
    items = given.read()
    ways = [shown(way, dialogue=dialogue, frames=frames) for way in show or ["vision"]]
    sources = Sources(frames_from, audio_from, videos, transcripts)
    sources.check(ways)
    refuse_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    paths = [out / f"{one.name}.jsonl" for one in ways]
    for path in paths:
        refuse_output(path, overwrite=force or (out / BOOK).exists(), option="--force")
    told = prompt(PROMPTS[named])
    mixed = named == "jointav" if shuffle is None else shuffle
    plans = [Plan(told, one, sources, seed, mixed, max_tokens, deadline, at_once) for one in ways]
    failed = asyncio.run(
        _ask(items, plans, paths, Server(url, model, key, members(extra)), out / BOOK)
    )
    print_sheet(mcq_sheet(score_answers(given, paths)), Console())
    if failed:
        what = f"{counted(len(failed), 'question')} got no answer; the first: {failed[0]}"
        raise EngineFailedError(f"{what} (the same command asks only these again)")


async def _ask(
    items: Sequence[Item], plans: Sequence[Plan], paths: Sequence[Path], server: Server, book: Path
) -> list[str]:
    """Write each way's answers; what failed."""
    failed: list[str] = []
    with AnswerBook(book) as kept:
        async with OpenAIEngine(
            server.url, server.model, key=server.key, extra=server.extra, stream=False
        ) as engine:
            for plan, path in zip(plans, paths, strict=True):
                outcome = await _one_way(items, plan, engine, kept)
                header = _header(plan, plan.prompt, engine.name)
                write_text(path, REPLIES.write(outcome.replies, header), overwrite=True)
                failed += outcome.failed
    return failed


async def _one_way(
    items: Sequence[Item], plan: Plan, engine: ChatEngine, kept: AnswerBook
) -> Outcome:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[tokens]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(plan.shown.name, total=len(items), tokens="")
        return await ask_all(items, plan, engine, kept, _telling(progress, bar))


def _telling(progress: Progress, bar: TaskID) -> Callable[[Generated | None], None]:
    spent = [0, 0]

    def told(found: Generated | None) -> None:
        if found is not None:
            spent[0] += found.prompt_tokens or 0
            spent[1] += found.completion_tokens or 0
        tokens = f"{spent[0]} tokens in, {spent[1]} out"
        progress.update(bar, advance=1, tokens=tokens)

    return told


def _header(plan: Plan, told: Prompt, model: str) -> RepliesHeader:
    one: Shown = plan.shown
    return RepliesHeader(
        strad="replies",
        version=1,
        model=model,
        shown=one.way,
        dialogue=one.dialogue,
        prompt=f"{told.name} {told.sha256[:16]}",
        seed=plan.seed,
        frames=one.frames,
    )
