"""Caption files: WebVTT or SRT, told apart by what they hold, whatever they are called."""

from __future__ import annotations

from pathlib import Path

from strad.cues import Cue
from strad.srt import read_srt
from strad.text_file import read_text
from strad.webvtt import read_webvtt


def read_captions(path: Path) -> list[Cue]:
    """The file's cues by their time. What begins with WEBVTT is WebVTT, all else SRT.

    Raises InputError for a file that can't be read, FormatError with the line that is wrong.
    """
    text = read_text(path)
    read = read_webvtt if text.startswith("WEBVTT") else read_srt
    return sorted(read(text, file=str(path)), key=lambda cue: cue.when)
