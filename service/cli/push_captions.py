"""A caption file as the messages ``strad push`` sends: all of it, none too long for the wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from strad.cues import Cue
from strad.errors import InputError
from strad.timeline import Interval, to_seconds
from strad.wire.message import MAX_SECONDS, MAX_TEXT
from strad.wire.publishing import MAX_CAPTIONS, CaptionCue, Captions

MOST_BYTES = 128 * 1024
"""Of one message's cues; well below what a message may hold."""


def caption_messages(cues: Iterable[Cue], file: Path) -> Iterator[Captions]:
    """All the cues, in order, in as many messages as that takes; the last says no more will come.

    A cue too long for the wire becomes several that share its time. Raises InputError for one
    that lies later than the wire can say.
    """
    batch: list[CaptionCue] = []
    size = 0
    for cue in _on_the_wire(cues, file):
        length = len(cue.model_dump_json().encode())
        if batch and (len(batch) == MAX_CAPTIONS or size + length > MOST_BYTES):
            yield Captions(cues=tuple(batch), until=cue.start)
            batch, size = [], 0
        batch.append(cue)
        size += length
    yield Captions(cues=tuple(batch), until=MAX_SECONDS)


def _on_the_wire(cues: Iterable[Cue], file: Path) -> Iterator[CaptionCue]:
    parts = [part for cue in cues for part in _parts(cue)]
    for part in sorted(parts, key=lambda part: part.when):
        start, end = to_seconds(part.when.start), to_seconds(part.when.end)
        if end > MAX_SECONDS:
            raise InputError(
                f"{file}: the caption from {start:.3f} s to {end:.3f} s ends after "
                f"{MAX_SECONDS:.0f} s, the latest time a stream can have"
            )
        yield CaptionCue(start=start, end=end, text=part.text)


def _parts(cue: Cue) -> Iterator[Cue]:
    """``cue``, cut between words where it is too long, its time shared by length."""
    text, start, whole = cue.text, cue.when.start, len(cue.text)
    while len(text) > MAX_TEXT:
        space = text.rfind(" ", 1, MAX_TEXT)
        at = space if space > 0 else MAX_TEXT
        end = cue.when.start + cue.when.duration * (whole - len(text) + at) // whole
        yield Cue(Interval(start, end), text[:at].strip())
        text, start = text[at:], end
    yield Cue(Interval(start, cue.when.end), text.strip())
