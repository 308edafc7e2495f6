"""``strad-train prepare``: annotated films to a data set of examples."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from strad.errors import InputError
from strad.text_file import read_text, refuse_folder
from strad.timeline import from_seconds
from strad_engines.weights import Weights
from streaming.ingest import IngestOptions
from training.cli.casting import Bank, casting_of
from training.cli.checks import must_be_utf8, strides_of
from training.cli.films_shown import FilmsShown
from training.cli.materials import Sources
from training.cli.summary import print_summary
from training.material import Material
from training.preparing.ownership import TRANSCRIPTS, must_be_ours
from training.preparing.plan import Manner
from training.preparing.prepare import about_of
from training.preparing.prepare import prepare as prepare_data
from training.preparing.wishes import Wishes
from training.skipped import Skips
from training.sources.listening import Transcriber, load_ears

SOURCES, HELD, MADE = "Sources", "Validation", "Examples"


def prepare(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The folder: made, or gone on in.")],
    manifest: Annotated[
        list[Path] | None,
        typer.Option(help="Videos with descriptions and transcripts.", rich_help_panel=SOURCES),
    ] = None,
    segments: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="CSV", help="CMD-AD's, TV-AD's or MAD-Eval's rows.", rich_help_panel=SOURCES
        ),
    ] = None,
    video: Annotated[
        Path | None, typer.Option(help="One video, with:", rich_help_panel=SOURCES)
    ] = None,
    descriptions: Annotated[
        Path | None,
        typer.Option(help="Its descriptions, WebVTT or SRT.", rich_help_panel=SOURCES),
    ] = None,
    captions: Annotated[
        Path | None,
        typer.Option(
            help="What is said: a caption file of --video, or a folder of them for --segments.",
            rich_help_panel=SOURCES,
        ),
    ] = None,
    media: Annotated[
        Path | None,
        typer.Option(help="A folder of media for the sources.", rich_help_panel=SOURCES),
    ] = None,
    listen: Annotated[
        bool,
        typer.Option(
            "--listen",
            help="Recognise what is said where there is no transcript.",
            rich_help_panel=SOURCES,
        ),
    ] = False,
    asr: Annotated[
        str, typer.Option(help="The speech model for that.", rich_help_panel=SOURCES)
    ] = "base",
    language: Annotated[
        str, typer.Option(help="Of descriptions that don't say.", rich_help_panel=SOURCES)
    ] = "en",
    licence: Annotated[
        str, typer.Option(help="Of the sources, for dataset.json.", rich_help_panel=SOURCES)
    ] = "",
    characters: Annotated[
        Path | None, typer.Option(help="A bank of characters, JSON.", rich_help_panel=SOURCES)
    ] = None,
    portraits: Annotated[
        Path | None, typer.Option(help="A folder of actors' pictures.", rich_help_panel=SOURCES)
    ] = None,
    validation: Annotated[
        Path | None,
        typer.Option(
            help="A file of film ids, one a line; else the paper's 25, else a share.",
            rich_help_panel=HELD,
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(min=0, max=0.9, help="Of the films for validation.", rich_help_panel=HELD),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1, help="Examples for training, at most: 25 % wait.", rich_help_panel=MADE
        ),
    ] = None,
    streaming: Annotated[
        bool, typer.Option("--streaming/--no-streaming", help="Windows.", rich_help_panel=MADE)
    ] = True,
    moments: Annotated[
        bool, typer.Option("--moments/--no-moments", help="Segments.", rich_help_panel=MADE)
    ] = True,
    stride: Annotated[
        tuple[float, float],
        typer.Option(help="Shortest and longest, in seconds.", rich_help_panel=MADE),
    ] = (0.5, 4.0),
    pad: Annotated[
        str,
        typer.Option(
            help="Seconds around segments, or random; else as their data set has it.",
            rich_help_panel=MADE,
        ),
    ] = "",
    sound: Annotated[
        bool, typer.Option("--sound/--no-sound", help="Keep it.", rich_help_panel=MADE)
    ] = True,
    width: Annotated[
        int, typer.Option(min=16, max=1920, help="Of pictures, at most.", rich_help_panel=MADE)
    ] = 640,
    seed: Annotated[int, typer.Option(help="Of all that is drawn.", rich_help_panel=MADE)] = 0,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Films at once.")] = min(
        4, os.cpu_count() or 1
    ),
    again: Annotated[
        bool, typer.Option("--again", help="Replace the data set that is there.")
    ] = False,
) -> None:
    """Make a data set of examples: segments, windows of a stream to describe, and to wait at."""
    options = dict(locals())
    if not (streaming or moments):
        raise InputError("--no-streaming and --no-moments leave nothing to make")
    tables, manifests = tuple(segments or ()), tuple(manifest or ())
    must_be_utf8(data, *tables, *manifests, video, descriptions, captions, media)
    sources = Sources(manifests, tables, video, descriptions, captions, media, language)
    skips, bank, console = Skips(), Bank(characters, portraits), Console(stderr=True)
    wishes = Wishes(
        manner=_manner(seed, stride, pad),
        streaming=streaming,
        segments=moments,
        budget=budget,
        validation=_films(validation),
        share=share,
        sound=sound,
        looks=IngestOptions(max_width=width),
        casting=bank.identity,
    )
    materials = sources.read(skips)
    must_be_ours(data)
    refuse_folder(data)
    if listen:
        materials = asyncio.run(_listened(materials, data, asr, skips, console))
    with FilmsShown(console) as shown:
        dataset, before = asyncio.run(
            prepare_data(
                *(materials, data, wishes, skips),
                watcher=shown,
                jobs=jobs,
                casting=casting_of(bank),
                about=about_of(_told(options), sources.named, licence),
                again=again,
            )
        )
    print_summary(dataset, console, before=before)


async def _listened(
    materials: list[Material], data: Path, asr: str, skips: Skips, console: Console
) -> list[Material]:
    """With what is said in films that have no transcript."""
    if all(material.streams or material.cut for material in materials):
        return materials

    def done(name: str) -> None:
        console.print(f"listened to {name}", markup=False, highlight=False, soft_wrap=True)

    async with load_ears(asr, Weights()) as ears:
        listener = Transcriber(data / TRANSCRIPTS, ears, asr, done)
        return await listener.transcribed(materials, skips)


def _manner(seed: int, stride: tuple[float, float], pad: str) -> Manner:
    strides = strides_of(stride)
    if pad in {"", "random"}:
        return Manner(seed, strides, random_pad=pad == "random")
    try:
        length = from_seconds(float(pad))
    except ValueError:
        raise InputError(f"--pad wants seconds, or random, not {pad!r}") from None
    if not 0 <= length <= 10_000:
        raise InputError("--pad wants 0 to 10 seconds")
    return Manner(seed, strides, pad=length)


def _films(path: Path | None) -> tuple[str, ...] | None:
    return None if path is None else tuple(read_text(path).split())


def _told(options: dict[str, Any]) -> dict[str, object]:
    """What was asked for, without what only changes the speed."""
    return {name: value for name, value in options.items() if name not in {"data", "jobs", "again"}}
