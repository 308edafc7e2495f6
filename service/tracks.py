"""Tracks: what a stream has said so far, as the files players and judges read."""

from __future__ import annotations

from service.told import Told
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.srt import write_srt
from strad.webvtt import draft_note, write_webvtt
from strad.wire.viewing import About


def as_webvtt(told: Told, about: About | None) -> str:
    """A whole WebVTT file."""
    cues = [ad.cue() for ad in told.ads()]
    return write_webvtt(cues, notes=notes_of(about), language=language_of(about))


def as_srt(told: Told) -> str:
    """A whole SRT file. It has no place for a draft label."""
    return write_srt(ad.cue() for ad in told.ads())


def as_jsonl(told: Told, name: str, about: About | None) -> str:
    """A whole predictions file; the stream's name is the video's."""
    header = PredictionsHeader(
        strad="predictions",
        version=1,
        describer=about.describer if about is not None else None,
        draft=about.draft if about is not None else False,
    )
    return PREDICTIONS.write((Prediction.of(name, ad.cue()) for ad in told.ads()), header)


def notes_of(about: About | None) -> list[str]:
    """The label that every draft carries."""
    return [draft_note(about.describer)] if about is not None and about.draft else []


def language_of(about: About | None) -> str:
    return about.language if about is not None else "en"
