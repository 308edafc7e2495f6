"""``strad describe``: a file or URL, or all of a manifest in, audio description out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from service.cli.describe_document import (
    DocumentRequest,
    DocumentWishes,
    FromPass,
    Passes,
    describe_document,
)
from service.cli.describe_input import files_read, source_named, video_name, words_in
from service.cli.describe_manifest import ManifestRequest, describe_manifest
from service.cli.describe_output import Format, Output
from service.cli.describe_progress import DescribeProgress
from service.cli.describe_rules import EvaluationProtocol, FilePace, Wishes
from service.cli.describe_task import (
    Characters,
    MediaFolder,
    Portraits,
    SegmentsFile,
    SegmentWishes,
    Task,
    TaskName,
    no_segment_task,
)
from service.cli.model_options import (
    NONE,
    Flags,
    model_options,
    must_be_used,
    settings_with,
)
from service.cli.terminal import console, run
from service.default_describer import default_describer
from service.described import Description, prepared
from service.loading import weights_for
from service.model_choice import ModelChoice
from service.recorded import Tapes, Taping, recorded
from service.settings import Settings
from strad.counted import counted
from strad.errors import InputError, StradError
from strad.speech import GapSource, Protect, Word
from strad.timeline import to_seconds
from streaming.config import Pace, Placement, StreamConfig
from streaming.recording.files import make_private
from streaming.recording.recorder import Keep
from streaming.sources import Protocol, Source


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asked for, checked."""

    source: Source
    config: StreamConfig
    describer: str
    asr: str
    captions: tuple[Word, ...] | None
    output: Output
    settings: Settings
    record: Taping | None = None


@model_options()
def describe(
    source: Annotated[
        str | None, typer.Argument(metavar="INPUT", help="A media file, or a URL to read from.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write: by default to standard output; of a manifest, a folder.",
        ),
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="By default what the output's name says, else vtt."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace outputs that exist already.")
    ] = False,
    manifest: Annotated[
        Path | None,
        typer.Option(help="Describe all videos of a benchmark manifest; those done are kept."),
    ] = None,
    media: Annotated[
        Path | None, typer.Option(help="With a manifest: where files named by a video's id lie.")
    ] = None,
    captions: Annotated[
        Path | None,
        typer.Option(help="WebVTT or SRT captions, in place of speech recognition."),
    ] = None,
    gaps: Annotated[
        GapSource | None,
        typer.Option(help="What tells speech from silence.", show_default="union"),
    ] = None,
    describer: Annotated[
        str | None,
        typer.Option(
            help="facts, strad-zero, strad-ft, or scripted:FILE with one prediction a line.",
            show_default="facts; with an engine strad-zero, or strad-ft for a model trained for it",
        ),
    ] = None,
    flags: Flags = NONE,
    asr: Annotated[
        str | None,
        typer.Option(
            help="Speech recognition model, by name or folder; off for none.", show_default="base"
        ),
    ] = None,
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
    task: TaskName = Task.STREAM,
    segments: SegmentsFile = None,
    media_folder: MediaFolder = None,
    characters: Characters = None,
    portraits: Portraits = None,
    passes: Passes = None,
    again: FromPass = None,
    protect: Annotated[
        Protect | None,
        typer.Option(
            help="What no description covers, beside speech: songs; or sounds, which are songs, "
            "swells, bangs and alarms too.",
            show_default="speech",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            help="A new folder to record the run to: for strad explain and strad rerun; of a "
            "manifest, a folder in it for each video. It holds what was said; only you can open it."
        ),
    ] = None,
    record_what: Annotated[
        Keep | None,
        typer.Option(
            help="facts: no pictures, no prompts. prompts: what the model was asked and answered, "
            "too. media: pictures and sound, too.",
            show_default="prompts",
        ),
    ] = None,
) -> None:
    """Describe a file or URL, or a whole manifest: audio description in the gaps between speech.

    For example:

      strad describe film.mp4 -o film.ad.vtt

      strad describe film.mp4 --captions film.srt --gaps union --format srt > film.ad.srt

      strad describe https://example.org/film.webm --pace live --delay 12 -o film.jsonl

      strad describe film.mp4 --engine openai:http://gpu:8000/v1 --model M

      strad describe film.mp4 -o film.vtt --record film.run && strad explain 1 --recording film.run

      strad describe --manifest strad.json --protocol strad --describer strad-ft -o run

      strad describe film.mp4 --task document --engine openai:URL --model M -o film.ad.vtt

      strad describe --task segment --segments cmdad_anno.csv --media-folder clips -o said.csv

    Ctrl-C ends it early; what was described by then is written.
    """
    settings = settings_with(flags)
    streaming = (manifest, describer, delay, stride, placement, pace, protocol, efficiency, record)
    document = DocumentWishes(gaps, language, asr, protect, passes, again)
    document.check(*streaming, wanted=task is Task.DOCUMENT)
    describer = describer or default_describer(settings)
    must_be_used(flags, settings, () if task is Task.DOCUMENT else (describer,), task.value)
    (moments := SegmentWishes(segments, media_folder, characters, portraits)).check(task)
    _must_go_together(media, manifest, record_what, record)
    if task is Task.SEGMENT:
        one = (source, manifest, media, captions, form, summary, efficiency, video_id, record)
        no_segment_task(*one, gaps, asr, delay, stride, placement, pace, protocol, protect)
        return moments.run(output, describer, language, settings, over=overwrite)
    wishes = Wishes(gaps, language, delay, stride, placement, pace, asr, flags, protect)
    config = wishes.config(protocol)
    rules = protocol and protocol.value
    if manifest is not None:
        _only_one_video(source, captions, form, summary, efficiency, video_id)
        tapes = None if record is None else Tapes(record, record_what or Keep.PROMPTS)
        how = (config, describer, asr, rules, overwrite, settings, tapes)
        describe_manifest(ManifestRequest(manifest, Path(output) if output else None, media, *how))
        return
    source = _one(source, captions, protocol, deaf=gaps is GapSource.TRANSCRIPT and asr == "off")
    where = source_named(source, via)
    plan = Output.plan(
        output,
        form,
        summary=summary,
        efficiency=efficiency,
        overwrite=overwrite,
        inputs=files_read(where, captions, describer),
        video_id=video_id or video_name(source),
        protocol=rules,
    )
    words = words_in(captions) if captions else None
    if task is Task.DOCUMENT:
        return describe_document(DocumentRequest(where, words, document, plan, settings))
    kept = _taping(record, record_what, plan)
    _run(Request(where, config, describer, asr or "base", words, plan, settings, kept))


def _taping(folder: Path | None, keep: Keep | None, plan: Output) -> Taping | None:
    """Where to record to: refused before the work, not after it."""
    if folder is None:
        return None
    make_private(folder)
    return Taping(folder, keep or Keep.PROMPTS, plan.video_id, plan.protocol)


def _one(
    source: str | None, captions: Path | None, protocol: EvaluationProtocol | None, *, deaf: bool
) -> str:
    """The source, if there is one and its gaps can be found. ``deaf``: not without captions."""
    if source is None:
        raise InputError("name a file or URL to describe, or a --manifest")
    if protocol and captions is None:
        raise InputError("--protocol strad needs the verified transcript: give --captions")
    if deaf and captions is None:
        raise InputError("--gaps transcript needs a transcript: --captions, or --asr not off")
    return source


def _only_one_video(*given: object) -> None:
    names = "INPUT --captions --format --summary --efficiency --video-id"
    options = names.split()
    for option, value in zip(options, given, strict=True):
        if value is not None:
            raise InputError(f"{option} is for one video, and --manifest names many")


def _must_go_together(
    media: Path | None, manifest: Path | None, what: Keep | None, record: Path | None
) -> None:
    """Raises InputError for an option given without the one that it belongs to."""
    if media is not None and manifest is None:
        raise InputError("--media goes with --manifest")
    if what is not None and record is None:
        raise InputError("--record-what goes with --record")


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
            weights=weights_for(request.settings),
            choice=ModelChoice.of(request.settings),
        ) as description:
            for line in description.said:
                console.print(line, markup=False, soft_wrap=True)
            with (
                DescribeProgress(request.source.name, aloud=live) as progress,
                recorded(description, request.record, progress.take) as watch,
            ):
                await description.run(watch)

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
    missed = "".join(
        f", nothing was looked at from {to_seconds(hole.start):.0f} to {to_seconds(hole.end):.0f} s"
        for hole in description.report.holes()
    )
    if said:
        return f"{counted(said, 'description')}{draft}{missed}: {where}"
    reasons = [*stats.waits.items(), *stats.drops.items()]
    why = ", ".join(f"{count} {reason}" for reason, count in reasons)
    windows = f"{counted(stats.windows, 'window')} asked, {stats.no_gap} without a gap{missed}"
    return f"nothing was described ({windows}{'; ' + why if why else ''}): {where}"
