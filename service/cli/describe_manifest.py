"""``strad describe --manifest``: many videos, one after another, each once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import typer

from service.cli.describe_output import Format, Output
from service.cli.describe_progress import DescribeProgress
from service.cli.terminal import console, printable, run
from service.described import Description, Workbench, workbench
from service.loading import weights_for
from service.manifest_run import Progress, Rules, Watcher, run_manifest
from service.model_choice import ModelChoice
from service.recorded import Tapes, recorded
from service.run_folder import RunFolder, must_become_folder, name_of
from service.settings import Settings
from strad.counted import counted
from strad.errors import InputError
from strad.manifest import Manifest, Video, read_manifest
from strad.predictions import PredictionsHeader
from strad.text_file import read_text
from strad.timeline import Ms, to_seconds
from streaming.config import StreamConfig

TOLERANCE: Ms = 2_000
"""The media may be so much longer or shorter than the manifest says."""


@dataclass(frozen=True, slots=True)
class ManifestRequest:
    """What the command line asked for, checked."""

    manifest: Path
    output: Path | None
    media: Path | None
    config: StreamConfig
    describer: str
    asr: str | None
    """None: where the manifest has no transcript, the usual one listens."""
    protocol: str | None
    overwrite: bool
    settings: Settings
    record: Tapes | None = None


def describe_manifest(request: ManifestRequest) -> None:
    """All of it. Exits with 1 where a video failed."""
    manifest = read_manifest(read_text(request.manifest), file=str(request.manifest))
    shelf, progress = _shelf(request), Progress()
    header: list[PredictionsHeader] = []
    held = ExitStack()

    async def work() -> None:
        async with workbench(
            describer=request.describer,
            asr=_asr(manifest, request),
            weights=weights_for(request.settings),
            choice=ModelChoice.of(request.settings),
        ) as bench:
            for line in bench.said:
                console.print(line, markup=False, soft_wrap=True)
            describer = bench.make(bench.tune(request.config))
            header.append(_header(describer.name, request.protocol, draft=describer.draft))
            identity = _identity(manifest, header[0], bench, bench.tune(request.config))
            await describer.aclose()
            held.enter_context(shelf.alone())
            shelf.claim(identity, overwrite=request.overwrite)
            rules = _rules(manifest, request)
            keep = _Keeper(shelf, request.protocol).keep
            watcher = _Console(len(manifest.videos), request.record, request.protocol)
            await run_manifest(manifest, bench, rules, shelf, keep, watcher, progress)

    with held:
        try:
            run(work())
        finally:
            if header and progress.finished:
                _merge(shelf, manifest, progress, header[0])
    _tell(shelf, manifest, progress)


def _shelf(request: ManifestRequest) -> RunFolder:
    """Where it is written. Raises InputError for folders that can't be used, before the work."""
    shelf = RunFolder(request.output or Path(f"{request.manifest.stem}-ad"))
    shelf.check()
    if request.media is not None and not request.media.is_dir():
        raise InputError(f"--media {request.media}: there is no such folder")
    if request.record is not None:
        must_become_folder(request.record.folder)
    return shelf


def _rules(manifest: Manifest, request: ManifestRequest) -> Rules:
    return Rules(
        config=request.config,
        strict=request.protocol is not None,
        listen=request.asr not in (None, "off"),
        recognises=_asr(manifest, request) != "off",
        folder=request.manifest.parent,
        media=request.media,
    )


def _asr(manifest: Manifest, request: ManifestRequest) -> str:
    """The speech model, where any video needs it."""
    if request.protocol is not None:
        return "off"
    if request.asr is not None:
        return request.asr
    needed = any(video.transcript is None for video in manifest.videos)
    return request.settings.asr if needed else "off"


def _header(describer: str, protocol: str | None, *, draft: bool) -> PredictionsHeader:
    return PredictionsHeader(
        strad="predictions", version=1, protocol=protocol, describer=describer, draft=draft
    )


def _identity(
    manifest: Manifest, header: PredictionsHeader, bench: Workbench, config: StreamConfig
) -> Mapping[str, Any]:
    """What must be the same for two runs to be one."""
    fixed = {name: value for name, value in asdict(config).items() if name != "language"}
    return {
        "strad": "run",
        "version": 1,
        "manifest": manifest.name,
        "describer": header.describer,
        "protocol": header.protocol,
        "config": fixed,
        "asked": dict(bench.asked),
    }


class _Keeper:
    """Writes each finished video into the folder."""

    def __init__(self, shelf: RunFolder, protocol: str | None) -> None:
        self._shelf = shelf
        self._protocol = protocol

    def keep(self, video: Video, description: Description, fingerprint: str) -> None:
        files = self._shelf.files(video)
        output = Output(
            path=files.predictions,
            form=Format.JSONL,
            summary=files.summary,
            efficiency=files.efficiency,
            overwrite=True,
            video_id=video.id,
            protocol=self._protocol,
            fingerprint=fingerprint,
        )
        output.write(description, incomplete=None)


class _Console(Watcher):
    """A line a video on standard error, and a bar where that is a terminal."""

    def __init__(self, count: int, record: Tapes | None, protocol: str | None) -> None:
        self._count, self._record, self._protocol = count, record, protocol

    def skip(self, number: int, video: Video) -> None:
        self._say(number, video, "finished before")

    async def run(self, number: int, video: Video, description: Description) -> None:
        taping = None
        if self._record is not None:
            taping = self._record.of(name_of(video), video.id, self._protocol)
        with (
            DescribeProgress(f"[{number}/{self._count}] {video.id}", aloud=False) as progress,
            recorded(description, taping, progress.take) as watch,
        ):
            await description.run(watch)
        stats = description.session.stats()
        said = len(description.report.cues())
        self._say(
            number, video, f"{counted(said, 'description')} of {counted(stats.windows, 'window')}"
        )
        length = stats.live_edge
        if abs(length - video.duration_ms) > max(TOLERANCE, video.duration_ms // 50):
            claimed = f"the manifest says {video.duration:.1f} s"
            self._say(number, video, f"the media has {to_seconds(length):.1f} s, {claimed}")

    def fail(self, number: int, video: Video, why: str) -> None:
        self._say(number, video, f"failed: {why}")

    def _say(self, number: int, video: Video, what: str) -> None:
        line = printable(f"[{number}/{self._count}] {video.id}: {what}")
        console.print(line, markup=False, soft_wrap=True)


def _merge(
    shelf: RunFolder, manifest: Manifest, progress: Progress, header: PredictionsHeader
) -> None:
    """Only a whole run is by the protocol: without a video it would score another benchmark."""
    finished = {video.id for video in progress.finished}
    missing = [video.id for video in manifest.videos if video.id not in finished]
    if missing:
        header = header.model_copy(update={"protocol": None})
    figures = {
        "strad": "run-summary",
        "version": 1,
        "manifest": manifest.name,
        "describer": header.describer,
        "protocol": header.protocol,
        "complete": not missing,
        "missing": missing,
    }
    shelf.merge(progress.finished, header, figures)


def _tell(shelf: RunFolder, manifest: Manifest, progress: Progress) -> None:
    done, before = len(progress.finished), progress.skipped
    also = f", {before} of them before" if before else ""
    where = f": {shelf.predictions}" if progress.finished else ""
    line = f"{done} of {counted(len(manifest.videos), 'video')} described{also}{where}"
    console.print(line, markup=False, soft_wrap=True)
    for video, why in progress.failed:
        console.print(printable(f"failed: {video.id}: {why}"), markup=False, soft_wrap=True)
    if progress.failed:
        raise typer.Exit(1)
