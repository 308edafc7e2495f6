"""Sentences to be told apart, from a file: text, subtitles, JSONL; with times if it has them."""

from __future__ import annotations

from pathlib import Path

from question_generation.cinepile.front.labelled import LABELLED, Labelled
from question_generation.jointav.speech_lines import from_subtitles
from strad.errors import InputError
from strad.line_file import LineFile
from strad.questions import Filled
from strad.record import Record, Seconds
from strad.text_file import read_text

SUBTITLES = (".vtt", ".srt")


class SentencesHeader(Record):
    """The optional first line of a file of sentences."""

    strad: str
    version: int


class Sentence(Record):
    """A line of JSONL: ``text``, with times or without; other members are passed over."""

    text: Filled
    start: Seconds | None = None
    end: Seconds | None = None


SENTENCES = LineFile(SentencesHeader, Sentence)


def sentences_in(path: Path) -> list[Sentence]:
    """``.vtt`` and ``.srt`` by cues, ``.jsonl`` by records, ``.txt`` by lines.

    Raises InputError for another ending, FormatError with file and line.
    """
    ending = path.suffix.lower()
    if ending in SUBTITLES:
        lines = from_subtitles(path)
        return [Sentence(text=x.text, start=x.start, end=x.end) for x in lines if x.text.strip()]
    if ending == ".jsonl":
        return SENTENCES.read(read_text(path).split("\n"), file=str(path))[1]
    if ending == ".txt":
        return [Sentence(text=x.strip()) for x in read_text(path).splitlines() if x.strip()]
    raise InputError(f"{path}: sentences are .txt (one a line), .vtt, .srt or .jsonl")


def labelled_in(path: Path) -> list[Labelled]:
    """Sentences whose kind is told, to train on. Raises FormatError, InputError."""
    found = LABELLED.read(read_text(path).split("\n"), file=str(path))[1]
    kinds = {one.kind for one in found}
    if len(kinds) < 2:
        raise InputError(f"{path}: sentences of both kinds are needed, visual and dialogue")
    return found
