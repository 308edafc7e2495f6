"""The benchmark manifest (JSON): videos, their reference descriptions and transcripts."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from strad.errors import FormatError
from strad.json_positions import line_of
from strad.record import LONGEST, Id, Record, TimedText, parse_record
from strad.speech import Transcript, Word
from strad.timeline import Ms, from_seconds


class Source(Record):
    """Where a video's media is: exactly one of the three."""

    path: Id | None = None
    """A file, relative to the manifest's folder."""
    url: Id | None = None
    youtube_id: Id | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if [self.path, self.url, self.youtube_id].count(None) != 2:
            raise ValueError("want exactly one of path, url and youtube_id")
        return self


class TranscriptWord(TimedText):
    """One word of a line."""

    probability: Annotated[float, Field(ge=0, le=1)] | None = None


class TranscriptLine(TimedText):
    """Something said in the programme."""

    words: tuple[TranscriptWord, ...] | None = None
    """Its words with their own times, where they are known."""
    speaker: str | None = None


class Video(Record):
    """One programme. Only ``id``, ``duration`` and ``ad`` are needed to score."""

    id: Id
    source: Source | None = None
    duration: Annotated[float, Field(gt=0, le=LONGEST)]
    """Seconds."""
    genre: str | None = None
    language: str = "en"
    """A BCP 47 tag, of the descriptions."""
    ad: tuple[TimedText, ...]
    """The reference descriptions."""
    transcript: tuple[TranscriptLine, ...] | None = None
    """The verified speech; absent is not the same as empty."""
    alignment: dict[str, Any] | None = None
    """How the descriptions were brought onto this video's timeline."""

    @property
    def duration_ms(self) -> Ms:
        return from_seconds(self.duration)

    def words(self) -> Transcript:
        """The transcript as words in order of their start; a line without words is one of them."""
        words = [_word(part) for line in self.transcript or () for part in line.words or (line,)]
        return tuple(sorted(words, key=lambda word: word.when))


class Manifest(Record):
    """A whole benchmark."""

    version: Literal[1]
    name: Id
    videos: tuple[Video, ...]


def read_manifest(text: str, *, file: str = "") -> Manifest:
    """The manifest that ``text`` holds; a fault is refused with the line of the faulty value."""
    text = text.removeprefix("\ufeff")
    manifest = parse_record(Manifest, text, file=file)
    seen: set[str] = set()
    for index, video in enumerate(manifest.videos):
        if video.id in seen:
            line = line_of(text, ("videos", index, "id"))
            raise FormatError(f"two videos have the id {video.id!r}", file=file, line=line)
        seen.add(video.id)
    return manifest


def write_manifest(manifest: Manifest) -> str:
    """The manifest as indented JSON, with what was given and nothing else."""
    return manifest.model_dump_json(exclude_unset=True, indent=2) + "\n"


def _word(part: TimedText) -> Word:
    known = part.probability if isinstance(part, TranscriptWord) else None
    return Word(part.when, part.text, 1.0 if known is None else known)
