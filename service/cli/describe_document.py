"""``strad describe --task document``: its options, progress, and what it leaves behind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from service.cli.describe_output import Format, Output
from service.cli.terminal import clock, console, printable, run
from service.cli.write_all import write_all
from service.document import DESCRIBER, DocumentOrder, prepared_document
from service.loading import weights_for
from service.model_choice import ModelChoice
from service.settings import Settings
from strad.counted import counted
from strad.cues import Cue
from strad.errors import InputError
from strad.passes import PassName, Spoken
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.speech import GapSource, Word
from strad.srt import write_srt
from strad.text_file import write_text
from strad.timeline import Ms, to_seconds
from strad.webvtt import draft_note, write_webvtt
from streaming.protected import Protect
from streaming.sources import Source
from streaming.tasks.document.config import DocumentConfig
from streaming.tasks.document.run import Outcome

REPORT = "report.md"


Passes: TypeAlias = Annotated[
    Path | None,
    typer.Option("--folder", help="Of a document: where its passes lie; else beside the output."),
]
FromPass: TypeAlias = Annotated[
    PassName | None,
    typer.Option("--from", help="Of a document: make this pass and all after it anew."),
]


@dataclass(frozen=True, slots=True)
class DocumentWishes:
    """How it is to be described; None where nothing was said."""

    gaps: GapSource | None
    language: str
    asr: str | None
    protect: Protect | None
    folder: Path | None
    """Where the passes lie."""
    again: PassName | None
    """Make this pass and all after it anew."""

    def check(self, *streaming: object, wanted: bool) -> None:
        """Raises InputError for what means nothing for the task; ``wanted``: it is this one."""
        given: dict[str, object] = {"--folder": self.folder, "--from": self.again}
        if wanted:
            names = "--manifest --describer --delay --stride --placement --pace --protocol"
            options = [*names.split(), "--efficiency", "--record"]
            given = dict(zip(options, streaming, strict=True))
        named = next((option for option, value in given.items() if value is not None), None)
        if named is not None:
            other = "does not go with" if wanted else "is for"
            raise InputError(f"{named} {other} --task document")


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    """What the command line asked for, checked."""

    source: Source
    captions: tuple[Word, ...] | None
    how: DocumentWishes
    output: Output
    settings: Settings


def describe_document(request: DocumentRequest) -> None:
    """Go through the passes and write what came of them."""
    how, output = request.how, request.output
    config = DocumentConfig(
        gaps=how.gaps or GapSource.UNION,
        protect=how.protect or Protect.SPEECH,
        language=how.language,
    )
    folder = how.folder or folder_beside(output)
    order = DocumentOrder(
        request.source, config, request.captions, how.asr or "base", folder, how.again
    )
    outcome = run(_run(order, request.settings))
    write_outcome(outcome, output, config.language, folder / REPORT)
    for path in outcome.kept:
        console.print(
            printable(f"what it was made from has changed: the corrected pass is now {path}"),
            markup=False,
            soft_wrap=True,
        )
    console.print(printable(told(outcome, output, folder)), markup=False, soft_wrap=True)


async def _run(order: DocumentOrder, settings: Settings) -> Outcome:
    with PassProgress(order.source.name) as progress:
        opening = prepared_document(
            order, ModelChoice.of(settings), weights_for(settings), progress.take
        )
        async with opening as work:
            for line in work.said:
                progress.say(line)
            return await work.run()


def folder_beside(output: Output) -> Path:
    """Where the passes lie if nobody says: beside the output, named after it or the video."""
    if output.path is None:
        return Path(f"{output.video_id}.passes")
    return output.path.with_name(f"{output.path.name}.passes")


def write_outcome(outcome: Outcome, output: Output, language: str, page: Path) -> None:
    """The descriptions, the figures, the report. Raises WorkError for what could not be written."""
    text = _text(cues_of(outcome.spoken, language), output, language)
    write_all(
        lambda: output.write_text(text),
        *output.summaries(_figures(outcome, output)),
        lambda: write_text(page, report(outcome), overwrite=True),
    )


def cues_of(spoken: list[Spoken], language: str) -> list[Cue]:
    """What is said, in order."""
    said = [line for line in spoken if line.dropped is None]
    return [line.cue(language) for line in sorted(said, key=lambda line: line.when)]


def report(outcome: Outcome) -> str:
    """For a person: what is said, and all that is not, with the reason."""
    silent = [
        (line.when.start, line.id, str(line.skipped), "")
        for line in outcome.written
        if line.skipped
    ]
    silent += [
        (line.when.start, line.id, str(line.dropped), line.text)
        for line in outcome.spoken
        if line.dropped is not None
    ]
    said = [line for line in outcome.spoken if line.dropped is None]
    lines = ["# What is described, and what is not", "", "A draft, made automatically.", ""]
    lines += ["## Said", "", "| at | slot | text |", "|---|---|---|"]
    lines += [_row(line.when.start, line.id, line.text) for line in said]
    lines += ["", "## Not said", "", "| at | slot | why | text |", "|---|---|---|---|"]
    lines += [_row(at, *rest) for at, *rest in sorted(silent)]
    return "\n".join([*lines, ""])


def told(outcome: Outcome, output: Output, folder: Path) -> str:
    """What came of it, in one line."""
    said = sum(line.dropped is None for line in outcome.spoken)
    dropped = len(outcome.spoken) - said
    where = str(output.path) if output.path else "standard output"
    fixed = f", with your {' and '.join(outcome.corrected)}" if outcome.corrected else ""
    what = f"{counted(said, 'description')}, a draft{fixed}, {dropped} dropped"
    return f"{what}: {where}; passes and {REPORT}: {folder}"


class PassProgress:
    """Which pass is how far: a bar on a terminal, a line a pass elsewhere."""

    def __init__(self, name: str) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[at]}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._name = name
        self._task = self._bar.add_task(name, total=None, at="")
        self._pass: PassName | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def take(self, stage: PassName, done: Ms, total: Ms | None) -> None:
        """Show how far it is."""
        title = f"pass {list(PassName).index(stage) + 1} of {len(PassName)}, {stage}"
        if stage is not self._pass:
            self._pass = stage
            self.say(title)
        at = clock(to_seconds(done)) + (f" of {clock(to_seconds(total))}" if total else "")
        self._bar.update(self._task, description=title, total=total, completed=done, at=at)

    def say(self, line: str) -> None:
        """One line for a person."""
        self._console.print(printable(line), markup=False, soft_wrap=True)


def _text(cues: list[Cue], output: Output, language: str) -> str:
    match output.form:
        case Format.VTT:
            return write_webvtt(cues, notes=[draft_note(DESCRIBER)], language=language)
        case Format.SRT:
            return write_srt(cues)
        case Format.JSONL:
            header = PredictionsHeader(
                strad="predictions", version=1, describer=DESCRIBER, draft=True
            )
            return PREDICTIONS.write([Prediction.of(output.video_id, cue) for cue in cues], header)


def _figures(outcome: Outcome, output: Output) -> dict[str, object]:
    dropped = Counter(line.dropped for line in outcome.spoken if line.dropped is not None)
    skipped = Counter(line.skipped for line in outcome.written if line.skipped)
    return {
        "video_id": output.video_id,
        "describer": DESCRIBER,
        "draft": True,
        "said": sum(line.dropped is None for line in outcome.spoken),
        "dropped": dict(dropped),
        "skipped": dict(skipped),
        "made": [str(name) for name in outcome.made],
        "corrected": [str(name) for name in outcome.corrected],
    }


def _row(at: Ms, *cells: str) -> str:
    shown = [" ".join(cell.split()).replace("|", "\\|") for cell in cells]
    return f"| {' | '.join([clock(to_seconds(at)), *shown])} |"
