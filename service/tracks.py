"""Tracks: what a stream has said so far, as the files players and judges read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from service.eventlog import Entry, MemoryLog
from service.streams import Stream
from strad.webvtt import draft_note, write_webvtt
from strad.wire.viewing import Ad, Withdraw


async def descriptions(log: MemoryLog) -> list[Ad]:
    """The AD in the log that still stand, by start."""
    standing: dict[str, Ad] = {}
    place = 0
    while entries := await log.read(place):
        _apply(entries, standing)
        place = entries[-1].seq
    return sorted(standing.values(), key=lambda ad: (ad.start, ad.seq))


def _apply(entries: Sequence[Entry], standing: dict[str, Ad]) -> None:
    for entry in entries:
        match entry.message:
            case Ad() as ad:
                standing[ad.id] = ad
            case Withdraw(id=withdrawn):
                standing.pop(withdrawn, None)


async def as_webvtt(stream: Stream) -> str:
    """A whole WebVTT file."""
    about = stream.about
    notes = [draft_note(about.describer)] if about is not None and about.draft else []
    language = about.language if about is not None else "en"
    cues = [ad.cue() for ad in await descriptions(stream.log)]
    return write_webvtt(cues, notes=notes, language=language)


async def as_jsonl(stream: Stream) -> str:
    """One prediction a line, in seconds; the stream's name is the video's."""
    lines = (
        {"video_id": stream.name, "start": ad.start, "end": ad.end, "text": ad.text}
        for ad in await descriptions(stream.log)
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
