"""``strad describe``: a file or URL in, its audio description out."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from pydantic import TypeAdapter, ValidationError

from service.caption_files import read_captions
from service.cli.describe_output import Format, Output
from service.cli.describe_progress import DescribeProgress
from service.cli.terminal import console, run
from service.configuration import read_settings
from service.described import Description, prepared
from service.loading import weights_for
from strad.errors import InputError, StradError
from strad.speech import GapSource, Word
from strad.timeline import from_seconds
from strad.wire.message import Language
from streaming.captions import caption_facts
from streaming.config import Pace, Placement, StreamConfig
from streaming.sources import FileSource, Protocol, Source, UrlSource

CHUNK_MS = 30 * 60 * 1000
"""The paper evaluates in 30-minute chunks (StrAD, section 5.1)."""


LANGUAGE: TypeAdapter[str] = TypeAdapter(Language)


class FilePace(StrEnum):
    """How a file is gone through."""

    FAST = "fast"
    LIVE = "live"


class EvaluationProtocol(StrEnum):
    """A fixed way to run, so that scores can be compared."""

    STRAD = "strad"


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asked for, checked."""

    source: Source
    config: StreamConfig
    describer: str
    asr: str
    captions: tuple[Word, ...] | None
    output: Output


def describe(
    source: Annotated[
        str, typer.Argument(metavar="INPUT", help="A media file, or a URL to read from.")
    ],
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Where to write. Standard output if not given."),
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="By default what the output's name says, else vtt."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace outputs that exist already.")
    ] = False,
    captions: Annotated[
        Path | None,
        typer.Option(help="WebVTT or SRT captions, in place of speech recognition."),
    ] = None,
    gaps: Annotated[
        GapSource, typer.Option(help="What tells speech from silence.")
    ] = GapSource.UNION,
    describer: Annotated[
        str, typer.Option(help="facts, or scripted:FILE with one prediction a line.")
    ] = "facts",
    asr: Annotated[
        str, typer.Option(help="Speech recognition model, by name or folder; off for none.")
    ] = "base",
    language: Annotated[str, typer.Option(help="Of the speech: a tag such as en or de.")] = "en",
    delay: Annotated[
        float | None,
        typer.Option(help="Seconds viewers are behind the live edge; 0 is live mode."),
    ] = None,
    stride: Annotated[float | None, typer.Option(help="Seconds between two windows.")] = None,
    placement: Annotated[
        Placement | None,
        typer.Option(help="fit: spoken where it fits. off: left where it was predicted."),
    ] = None,
    pace: Annotated[
        FilePace | None,
        typer.Option(help="fast: every window. live: as it plays, newest window first."),
    ] = None,
    protocol: Annotated[
        EvaluationProtocol | None,
        typer.Option(
            help="strad: the paper's way (raw predictions, every window, given transcript, "
            "30-minute chunks). Only this may be called a StrAD score."
        ),
    ] = None,
    via: Annotated[
        Protocol, typer.Option(help="How a URL is read: hls, rtmp, srt, rtsp only by name.")
    ] = Protocol.HTTP,
    summary: Annotated[Path | None, typer.Option(help="Write the run's figures as JSON.")] = None,
    efficiency: Annotated[
        Path | None, typer.Option(help="Write a line for every window (JSONL).")
    ] = None,
    video_id: Annotated[
        str | None, typer.Option(help="Names the video in JSONL. By default the file's name.")
    ] = None,
) -> None:
    """Describe a file or URL: audio description in the gaps between speech.

    For example:

      strad describe film.mp4 -o film.ad.vtt

      strad describe film.mp4 --captions film.srt --gaps union --format srt > film.ad.srt

      strad describe https://example.org/film.webm --pace live --delay 12 -o film.jsonl

    Ctrl-C ends it early; what was described by then is written.
    """
    if gaps is GapSource.TRANSCRIPT and asr == "off" and captions is None:
        raise InputError("--gaps transcript needs a transcript: --captions, or --asr not off")
    config = _config(gaps, language, delay, stride, placement, pace, protocol, captions)
    where = _source(source, via)
    plan = Output.plan(
        output,
        form,
        summary=summary,
        efficiency=efficiency,
        overwrite=overwrite,
        inputs=_inputs(where, captions, describer),
        video_id=video_id or video_name(source),
        protocol=protocol.value if protocol else None,
    )
    words = _captions(captions) if captions else None
    request = Request(where, config, describer, asr, words, plan)
    _run(request)


def _run(request: Request) -> None:
    description = None

    async def work() -> None:
        nonlocal description
        live = request.config.pace is Pace.NEWEST
        async with prepared(
            request.source,
            request.config,
            describer=request.describer,
            asr=request.asr,
            captions=request.captions,
            weights=weights_for(read_settings(os.environ)),
        ) as description:
            with DescribeProgress(request.source.name, aloud=live) as progress:
                await description.run(progress.take)

    why: str | None = "it was stopped"
    try:
        run(work())
        why = None
    except StradError as error:
        why = str(error)
        raise
    finally:
        if description is not None and (why is None or description.report.windows):
            request.output.write(description, incomplete=why)
            console.print(told(description, request.output), markup=False, soft_wrap=True)


def told(description: Description, output: Output) -> str:
    """What came of it, in one line: never silence about silence."""
    said, stats = len(description.report.cues()), description.session.stats()
    where = str(output.path) if output.path else "standard output"
    draft = ", a draft" if description.describer.draft else ""
    if said:
        return f"{said} {'description' if said == 1 else 'descriptions'}{draft}: {where}"
    reasons = [*stats.waits.items(), *stats.drops.items()]
    why = ", ".join(f"{count} {reason}" for reason, count in reasons)
    windows = f"{stats.windows} windows asked, {stats.no_gap} without a gap"
    return f"nothing was described ({windows}{'; ' + why if why else ''}): {where}"


def _config(
    gaps: GapSource,
    language: str,
    delay: float | None,
    stride: float | None,
    placement: Placement | None,
    pace: FilePace | None,
    protocol: EvaluationProtocol | None,
    captions: Path | None,
) -> StreamConfig:
    own = StreamConfig()
    try:
        LANGUAGE.validate_python(language)
    except ValidationError:
        raise InputError(f"--language: {language!r} is no tag such as en or pt-BR") from None
    try:
        config = StreamConfig(
            stride=own.stride if stride is None else from_seconds(stride),
            delay=own.delay if delay is None else from_seconds(delay),
            gaps=gaps,
            placement=placement or Placement.FIT,
            pace=Pace.NEWEST if pace is FilePace.LIVE else Pace.EVERY_WINDOW,
            language=language,
        )
    except ValueError as error:
        raise InputError(f"--delay or --stride: {error}") from None
    if protocol is None:
        return config
    if placement is Placement.FIT or pace is FilePace.LIVE:
        raise InputError("--protocol strad means --placement off and --pace fast")
    if captions is None:
        raise InputError("--protocol strad needs the verified transcript: give --captions")
    return replace(config, placement=Placement.OFF, gaps=GapSource.TRANSCRIPT, chunk=CHUNK_MS)


def _inputs(source: Source, captions: Path | None, describer: str) -> list[Path]:
    """The files that are read, and so must not be written."""
    script = describer.partition(":")[2]
    files = [source.path] if isinstance(source, FileSource) else []
    return [*files, *([captions] if captions else []), *([Path(script)] if script else [])]


def video_name(source: str) -> str:
    """What the video is called in JSONL: of a URL only its path, for the rest may be a secret."""
    return Path(urlsplit(source).path if "://" in source else source).stem or "video"


def _source(text: str, via: Protocol) -> Source:
    if not text.strip():
        raise InputError("INPUT is empty: name a file or URL")
    if "://" in text:
        return UrlSource(text, via)
    path = Path(text)
    try:
        found = path.exists()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    if not found:
        raise InputError(f"{path}: there is no such file")
    if path.is_dir():
        raise InputError(f"{path}: is a directory, not a media file")
    return FileSource(path)


def _captions(path: Path) -> tuple[Word, ...]:
    return tuple(word for fact in caption_facts(read_captions(path)) for word in fact.words)
