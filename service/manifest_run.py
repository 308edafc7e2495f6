"""A run over a manifest: each video described or passed over, none stopping the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from service.described import Description, Workbench
from service.run_folder import RunFolder, fingerprint
from strad.errors import DescriberError, InputError, MissingModelError, StradError
from strad.manifest import Manifest, Video
from strad.speech import GapSource, Word
from streaming.config import StreamConfig
from streaming.sources import FileSource, Source, UrlSource

MEDIA = ("mp4", "mkv", "webm", "mov", "m4v", "avi", "ts", "ogv")
"""What a video's file may end in, where the manifest names only a YouTube id."""

Keep = Callable[[Video, Description, str], None]
"""Writes a finished video down; the last is its fingerprint."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How every video of the run is described."""

    config: StreamConfig
    strict: bool
    """Whether a video without a verified transcript is refused."""
    listen: bool
    """Whether speech is recognised although there is a transcript."""
    recognises: bool
    """Whether it can be recognised at all."""
    folder: Path
    """What the manifest's paths are relative to."""
    media: Path | None
    """Where files named by a video's id, or its YouTube id, lie."""


@dataclass(slots=True)
class Progress:
    """How far the run is."""

    finished: list[Video] = field(default_factory=list)
    skipped: int = 0
    """Of those, what was finished before."""
    failed: list[tuple[Video, str]] = field(default_factory=list)


class Watcher:
    """Told what happens. Does nothing by itself."""

    def begin(self, number: int, video: Video) -> None:
        """A video is looked at."""

    def skip(self, number: int, video: Video) -> None:
        """It was finished before."""

    async def run(self, number: int, video: Video, description: Description) -> None:
        """It is to be described."""
        await description.run(lambda _announcement, _duration: None)

    def fail(self, number: int, video: Video, why: str) -> None:
        """It can't be."""


async def run_manifest(
    manifest: Manifest,
    bench: Workbench,
    rules: Rules,
    shelf: RunFolder,
    keep: Keep,
    watcher: Watcher,
    progress: Progress,
) -> None:
    """Every video that isn't finished yet. Raises only what would stop all of them."""
    for number, video in enumerate(manifest.videos, start=1):
        try:
            source = source_of(video, rules)
            mark = fingerprint(video, source.path if isinstance(source, FileSource) else None)
            if shelf.finished(video, mark):
                progress.finished.append(video)
                progress.skipped += 1
                watcher.skip(number, video)
                continue
            words = words_of(video, rules)
            config = replace(rules.config, language=video.language)
            description = bench.describe(source, config, words)
            await watcher.run(number, video, description)
        except (DescriberError, MissingModelError):
            raise
        except StradError as error:
            progress.failed.append((video, str(error)))
            watcher.fail(number, video, str(error))
            continue
        keep(video, description, mark)
        progress.finished.append(video)


def words_of(video: Video, rules: Rules) -> Sequence[Word] | None:
    """The verified transcript, where it takes the place of speech recognition."""
    if video.transcript is None and rules.strict:
        raise InputError("the manifest has no verified transcript of it, which the protocol needs")
    if video.transcript is not None and not rules.listen:
        return video.words()
    if rules.config.gaps is GapSource.TRANSCRIPT and not rules.recognises:
        raise InputError("gaps by transcript need one, and there is none nor a speech model")
    return None


def source_of(video: Video, rules: Rules) -> Source:
    """Where the video's media is. Raises InputError."""
    source = video.source
    if rules.media is not None:
        names = [video.id, *([source.youtube_id] if source and source.youtube_id else [])]
        found = [p for name in names if (p := _beside(rules.media, name)) is not None]
        if found:
            return FileSource(found[0])
    if source is None:
        raise InputError("the manifest does not say where its media is: give --media FOLDER")
    if source.url is not None:
        return UrlSource(source.url)
    if source.path is None:
        raise InputError(
            f"YouTube's {source.youtube_id} is not fetched: put its file into a folder and give "
            "--media FOLDER"
        )
    path = rules.folder / source.path
    if not path.is_file():
        raise InputError(f"{path}: can't be read: no such file or directory")
    return FileSource(path)


def _beside(folder: Path, name: str) -> Path | None:
    if Path(name).name != name:
        return None
    return next((p for end in MEDIA if (p := folder / f"{name}.{end}").is_file()), None)
