"""Material from one video with its descriptions as WebVTT or SRT, and its captions."""

from __future__ import annotations

from pathlib import Path

from strad.cues import Cue
from strad.timeline import Interval, to_seconds
from streaming.tasks.segments.segment import PAD, Segment
from training.material import Material
from training.skipped import Fault, Skips, doubtful, fault_in
from training.sources.caption_files import read_cues, words_in


def described_material(
    media: Path, descriptions: Path, captions: Path | None, skips: Skips, *, language: str = "en"
) -> Material | None:
    """None where the video isn't there. Raises InputError, FormatError.

    Without captions only segments are made of it: nobody knows when it is free.
    """
    if not media.is_file():
        skips.add(Fault.MISSING_MEDIA, str(media))
        return None
    if captions is None:
        skips.add(Fault.NO_TRANSCRIPT, str(media))
    cues = []
    unsure: list[Interval] = []
    for cue in read_cues(descriptions, skips, language=language, lost=unsure):
        fault = fault_in(cue.when, cue.text)
        if fault:
            skips.add(fault, f"{descriptions} at {to_seconds(cue.when.start):g} s")
            unsure.append(doubtful(cue.when.start, cue.when.end))
        else:
            cues.append(cue)
    words = words_in(read_cues(captions, skips)) if captions is not None else ()
    return Material(
        id=media.stem,
        film=media.stem,
        films=(media.stem,),
        media=media,
        events=tuple(cues),
        words=words,
        segments=tuple(_segment(n, cue, media.stem) for n, cue in enumerate(cues, start=1)),
        language=language,
        streams=captions is not None,
        unsure=tuple(sorted(unsure)),
    )


def _segment(number: int, cue: Cue, video: str) -> Segment:
    return Segment(
        line=number,
        video=video,
        start=to_seconds(cue.when.start),
        end=to_seconds(cue.when.end),
        when=cue.when,
        media=(),
        films=(video,),
        text=cue.text,
        pad=PAD,
    )
