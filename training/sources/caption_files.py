"""Caption files, WebVTT or SRT, of which bad cues are passed over and listed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from strad.cue_timing import ARROW, is_timing, parse_timing, split_lines
from strad.cues import Cue
from strad.errors import FormatError
from strad.speech import Word
from strad.srt import read_srt
from strad.text_file import read_text
from strad.timeline import Interval
from strad.webvtt import read_webvtt
from streaming.captions import caption_facts
from training.skipped import Fault, Skips, doubtful

MOST_BAD = 100
"""Cues of one file that may be bad before all of it is."""


def read_cues(
    path: Path, skips: Skips, *, language: str = "en", lost: list[Interval] | None = None
) -> list[Cue]:
    """Its cues by their time. Raises InputError, and FormatError where most of it is bad.

    ``lost`` gets when the bad ones lie, as far as that can be read.
    """
    lines = split_lines(read_text(path))
    read = read_webvtt if lines[0].startswith("WEBVTT") else read_srt
    for _ in range(MOST_BAD):
        try:
            cues = read("\n".join(lines), file=str(path), language=language)
        except FormatError as error:
            if error.line is None or error.line <= 1:
                raise
            backwards = "before it starts" in error.what
            fault = Fault.REVERSED_TIMES if backwards else Fault.BAD_CAPTIONS
            skips.add(fault, f"{path}:{error.line}", error.what)
            bad = _blank(lines, error.line - 1)
            if lost is not None:
                lost += [doubtful(when.start, when.end) for when in map(_timing, bad) if when]
        else:
            return sorted(cues, key=lambda cue: (cue.when.start, cue.when.end))
    raise FormatError(f"more than {MOST_BAD} bad cues", file=str(path))


def _blank(lines: list[str], at: int) -> list[str]:
    """Take out the block of lines around ``at``, and return it."""
    first, last = at, at
    while first > 1 and lines[first - 1].strip():
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].strip():
        last += 1
    block = lines[first : last + 1]
    lines[first : last + 1] = [""] * len(block)
    return block


def _timing(line: str) -> Interval | None:
    """What a timing line says, with its ends in order; None for another line."""
    if not is_timing(line):
        return None
    start, _, rest = line.partition(ARROW)
    end = rest.split()[0]
    forward = f"{start.strip()} {ARROW} {end}"
    try:
        return parse_timing(forward, file="", number=1)
    except FormatError:
        return parse_timing(f"{end} {ARROW} {start.strip()}", file="", number=1)


def words_in(cues: Sequence[Cue]) -> tuple[Word, ...]:
    """What they say, as a stream's captions are taken, by start."""
    words = [word for fact in caption_facts(cues) for word in fact.words]
    return tuple(sorted(words, key=lambda word: word.when))


def captions_named(folder: Path | None, names: Sequence[str]) -> Path | None:
    """The caption file in ``folder`` that has the first of these names that is there."""
    found = (
        folder / f"{name}.{end}"
        for name in names
        if folder is not None and ".." not in Path(name).parts and not Path(name).is_absolute()
        for end in ("vtt", "srt")
    )
    return next((path for path in found if path.is_file()), None)
