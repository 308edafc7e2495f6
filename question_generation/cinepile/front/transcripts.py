"""What is said in files: subtitles as they are, media by Whisper; and how long media last."""

from __future__ import annotations

from pathlib import Path

from question_generation.cinepile.front.sentence_files import SUBTITLES
from question_generation.jointav.speech_lines import Recogniser, from_subtitles
from strad.cues import Cue
from strad.errors import InputError
from strad.record import TimedText
from strad.text_file import write_text
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
    _require(path)
    if path.suffix.lower() in SUBTITLES:
        return by_time(from_subtitles(path))
    return by_time(await recogniser.lines(path))


async def written_transcript(media: Path, folder: Path, recogniser: Recogniser) -> Path:
    """The WebVTT file in ``folder`` of what is said in a file of media; made once."""
    out = folder / f"{media.name}.vtt"
    if not _there(out):
        _write(out, await transcript(media, recogniser))
    return out


async def duration_of(media: Path) -> float | None:
    """Seconds; None where the container doesn't say. Raises MediaError and its kinds."""
    async with open_media(FileSource(media), IngestOptions(sound_alone=True)) as opened:
        async for _ in opened:
            break
        return None if opened.duration is None else to_seconds(opened.duration)


def _require(path: Path) -> None:
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")


def _there(path: Path) -> bool:
    return path.exists()


def _write(out: Path, lines: tuple[TimedText, ...]) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    write_text(out, write_webvtt([Cue(line.when, line.text) for line in lines]))
