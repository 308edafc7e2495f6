"""Tracks: what a stream has said so far, as the files players and judges read."""

from __future__ import annotations

from collections.abc import Sequence

from service.eventlog.entry import Entry
from service.eventlog.log import StreamLog
from service.streams import Stream
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.webvtt import draft_note, write_webvtt
from strad.wire.viewing import Ad, Withdraw


async def descriptions(log: StreamLog) -> list[Ad]:
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
    """A whole predictions file; the stream's name is the video's."""
    about = stream.about
    header = PredictionsHeader(
        strad="predictions",
        version=1,
        describer=about.describer if about is not None else None,
        draft=about.draft if about is not None else False,
    )
    ads = await descriptions(stream.log)
    return PREDICTIONS.write((Prediction.of(stream.name, ad.cue()) for ad in ads), header)
