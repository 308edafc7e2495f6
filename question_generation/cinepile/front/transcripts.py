"""What is said in files: subtitles as they are, media by Whisper; and how long media last."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

from question_generation.cinepile.front.sentence_files import SUBTITLES
from question_generation.jointav.speech_lines import Recogniser, from_subtitles
from strad.cues import Cue
from strad.errors import InputError
from strad.record import TimedText
from strad.text_file import refuse_output, write_text
from strad.timeline import to_seconds
from strad.webvtt import write_webvtt
from streaming.ingest import IngestOptions, open_media
from streaming.sources import FileSource


def by_time(lines: tuple[TimedText, ...]) -> tuple[TimedText, ...]:
    """Without lines that are blank."""
    said = (line for line in lines if line.text.strip())
    return tuple(sorted(said, key=lambda line: (line.start, line.end)))


async def transcript(path: Path, recogniser: Recogniser) -> tuple[TimedText, ...]:
    """Lines by time. Raises FormatError, InputError, MediaError and its kinds, WorkError."""
    require(path)
    if path.suffix.lower() in SUBTITLES:
        return by_time(from_subtitles(path))
    return by_time(await recogniser.lines(path))


async def written_transcript(media: Path, folder: Path, recogniser: Recogniser) -> Path:
    """The WebVTT file in ``folder`` of what is said in a file of media; made once.

    Its name hangs on the media's content and on what recognises it. Raises InputError where it
    can't be written, before anything is recognised, and ``transcript``'s errors.
    """
    out = folder / await asyncio.to_thread(_name, media, recogniser)
    if not _there(out):
        _writable(out)
        _write(out, await transcript(media, recogniser))
    return out


async def duration_of(media: Path) -> float | None:
    """Seconds; None where the container doesn't say. Raises MediaError and its kinds."""
    async with open_media(FileSource(media), IngestOptions(sound_alone=True)) as opened:
        async for _ in opened:
            break
        return None if opened.duration is None else to_seconds(opened.duration)


def require(path: Path) -> None:
    """Raise InputError where there is no such file."""
    if not path.is_file():
        why = "no file of text or media" if path.exists() else "no such file or directory"
        raise InputError(f"{path}: can't be read: {why}")


def _name(media: Path, recogniser: Recogniser) -> str:
    told = hashlib.sha256(f"{recogniser.asr}\n{recogniser.language}\n".encode())
    try:
        with media.open("rb") as file:
            told.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as error:
        raise InputError(f"{media}: can't be read: {_why(error)}") from None
    return f"{media.name}.{told.hexdigest()[:16]}.vtt"


def _there(path: Path) -> bool:
    return path.exists()


def _writable(out: Path) -> None:
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out.parent}: can't be written: {_why(error)}") from None
    refuse_output(out, overwrite=True)


def _write(out: Path, lines: tuple[TimedText, ...]) -> None:
    """Over what another run has written meanwhile: that is the same."""
    cues = [Cue(line.when, line.text) for line in lines]
    write_text(out, write_webvtt(cues), overwrite=True)


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
