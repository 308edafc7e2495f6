"""``strad rerun``: a recorded run once more, without a model; or under other settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from service.cli.describe_output import Format, by_name, described_text
from service.cli.terminal import clock, console
from service.cli.write_all import write_all
from service.report import Report
from strad.cues import Cue
from strad.efficiency import EFFICIENCY, EfficiencyHeader
from strad.errors import InputError, WorkError
from strad.predictions import PredictionsHeader
from strad.text_file import refuse_output, write_text
from strad.timeline import from_seconds, to_seconds
from streaming.announcement import Announcement
from streaming.config import Placement, StreamConfig
from streaming.recording.lines import effect_line
from streaming.recording.reading import Recording
from streaming.recording.rerun import (
    Cost,
    OtherSettings,
    Step,
    announcements,
    session_of,
    steps,
)


def rerun(
    recording: Annotated[Path, typer.Argument(help="The folder that was recorded to.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write the descriptions.")
    ] = None,
    form: Annotated[
        Format | None, typer.Option("--format", help="By default what the output's name says.")
    ] = None,
    efficiency: Annotated[
        Path | None, typer.Option(help="Write a line for every window (JSONL).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace outputs.")] = False,
    placement: Annotated[Placement | None, typer.Option(help="Other than it was.")] = None,
    delay: Annotated[float | None, typer.Option(help="Seconds, other than it was.")] = None,
) -> None:
    """Run a recording again from its facts and answers: no media, no model.

    With no other setting, all that is written is byte for byte what the run wrote, and what was
    decided is checked against the recording. With --placement or --delay, the same answers are
    placed anew, and what differs is shown.

    **Examples**

        strad rerun film.run -o again.vtt --efficiency again.jsonl

        strad rerun film.run --delay 20
    """
    for file in (output, efficiency):
        if file is not None:
            refuse_output(file, overwrite=overwrite, option="--overwrite")
    told = form or by_name(output)
    known = Recording(recording)
    config = _config(known.header.config, placement, delay)
    differs = config != known.header.config
    report = _report(_other(known, config) if differs else _same(known), config)
    text = _text(known, report, told)
    writes: list[Callable[[], None]] = []
    if output is not None:
        writes.append(partial(write_text, output, text, overwrite=overwrite))
    elif not differs:
        writes.append(partial(typer.echo, text, nl=False))
    if efficiency is not None:
        writes.append(partial(write_text, efficiency, _log(known, report), overwrite=overwrite))
    if differs:
        was = _report(_same(known), config).cues()
        writes.append(partial(_show_difference, was, report.cues()))
    write_all(*writes)
    if not known.complete():
        console.print("the recording was cut off: this is as far as it goes")


def _report(run: Iterable[Announcement], config: StreamConfig) -> Report:
    report = Report(config.stride)
    for said in run:
        report.take(said)
    return report


def _log(known: Recording, report: Report) -> str:
    lines = report.efficiency(known.header.video_id)
    return EFFICIENCY.write(lines, EfficiencyHeader(strad="efficiency", version=1))


def _text(known: Recording, report: Report, form: Format) -> str:
    head = known.header
    header = PredictionsHeader(
        strad="predictions",
        version=1,
        protocol=head.protocol,
        describer=head.describer,
        draft=head.draft,
    )
    language = head.config.language
    return described_text(report.cues(), form, header, video_id=head.video_id, language=language)


def _config(was: StreamConfig, placement: Placement | None, delay: float | None) -> StreamConfig:
    try:
        config = replace(was, placement=placement or was.placement)
        return config if delay is None else replace(config, delay=from_seconds(delay))
    except ValueError as error:
        raise InputError(f"--delay: {error}") from None


def _same(known: Recording) -> Iterator[Announcement]:
    session = session_of(known.header)
    checked = _checked(known, steps(session, known.facts()))
    return announcements(session, checked, _costs(known))


def _other(known: Recording, config: StreamConfig) -> Iterator[Announcement]:
    other = OtherSettings(session_of(known.header, config))
    facts = other.known(steps(session_of(known.header), known.facts()))
    yield from announcements(other.session, other.run(facts))
    if other.unanswered:
        console.print(f"{other.unanswered} windows were not asked about in the recorded run")


def _costs(known: Recording) -> Iterator[Cost]:
    for line in known.lines():
        if "cost" in line:
            yield line["wall"], tuple((name, seconds) for name, seconds in line["stages"])


def _checked(known: Recording, run: Iterable[Step]) -> Iterator[Step]:
    """The same steps. Raises WorkError where one is not what the recording says."""
    recorded = (line for line in known.lines() if "effect" in line)
    whole = known.complete()
    for step in run:
        for effect in step[1]:
            was = next(recorded, None)
            if was is None and not whole:
                continue  # cut off between a fact and its effects
            if was != effect_line(effect):
                kind = type(effect).__name__
                raise WorkError(
                    f"{known.file}: another {kind} comes of it than was recorded: "
                    "it was made by another version, or changed since"
                )
        yield step


def _show_difference(before: list[Cue], now: list[Cue]) -> None:
    """What was said then and now, text by text."""
    left = list(now)
    for cue in before:
        same = next((each for each in left if each.text == cue.text), None)
        if same is None:
            typer.echo(f"- {_line(cue)}")
            continue
        left.remove(same)
        moved = to_seconds(same.when.start - cue.when.start)
        if same.when != cue.when:
            typer.echo(
                f"~ {_line(same)}  (was {clock(to_seconds(cue.when.start))}, {moved:+.1f} s)"
            )
        else:
            typer.echo(f"= {_line(same)}")
    for cue in left:
        typer.echo(f"+ {_line(cue)}")


def _line(cue: Cue) -> str:
    start, end = (clock(to_seconds(t)) for t in (cue.when.start, cue.when.end))
    return f"{start}-{end}  {cue.text}"
