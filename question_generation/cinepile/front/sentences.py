"""Lines as a recogniser or a file has them, cut into sentences with times. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from strad.record import TimedText

_END = re.compile(r"(?<=[.!?\u2026])[\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?[A-Z0-9])")
_SHORTENED = re.compile(r"(?:^|\s|\W)(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Sgt|Lt|Col|Capt|No|[A-Z])\.$")


def sentences(lines: Iterable[TimedText]) -> list[TimedText]:
    """Each line's, its time shared out by letters; no text is lost but blanks."""
    return [part for line in lines for part in _parts(line)]


def _parts(line: TimedText) -> list[TimedText]:
    pieces = _pieces(line.text)
    total = sum(len(piece) for piece in pieces)
    found: list[TimedText] = []
    gone, start = 0, line.start
    for at, piece in enumerate(pieces):
        gone += len(piece)
        end = line.start + (line.end - line.start) * gone / total
        end = line.end if at == len(pieces) - 1 else min(max(start, end), line.end)
        found.append(TimedText(start=start, end=end, text=piece))
        start = end
    return found


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if not _SHORTENED.search(text[start : end.start()]):
            pieces.append(text[start : end.end()])
            start = end.end()
    pieces.append(text[start:])
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]
