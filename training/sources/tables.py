"""Material from the annotations of CMD-AD, TV-AD and MAD-Eval, with a folder of media."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from strad.cues import Cue
from strad.errors import FormatError, InputError
from strad.speech import Word
from strad.timeline import Interval, from_seconds
from streaming.tasks.segments.media_files import by_media
from streaming.tasks.segments.reading import WrongTimesError, read_segments
from streaming.tasks.segments.segment import Segment
from training.material import Material
from training.skipped import Fault, Skips, doubtful, fault_in
from training.sources.caption_files import captions_named, read_cues, words_in


def table_materials(
    path: Path, media: Path, captions: Path | None, skips: Skips, *, language: str = "en"
) -> list[Material]:
    """Of every media file that the rows name. Raises InputError and FormatError.

    ``captions`` is a folder of WebVTT or SRT files under the names of the media files.
    """
    unsure: defaultdict[str, list[Interval]] = defaultdict(list)

    def bad(error: FormatError) -> None:
        if isinstance(error, WrongTimesError):
            start, end = (from_seconds(t) for t in error.when)
            unsure[next(iter(error.media), "")].append(doubtful(start, end))
            skips.add(Fault.REVERSED_TIMES, str(error))
        else:
            skips.add(Fault.BAD_ENTRY, str(error))

    data, rows = read_segments(path, bad=bad)
    told = {one.line for one in rows if _told(one, path, skips)}
    for one in rows:
        if one.line in told:
            unsure[one.media[0]].append(one.when)
    found, missing = by_media([one for one in rows if one.line not in told], media)
    for name in sorted({one.media[0] for one in missing}):
        skips.add(Fault.MISSING_MEDIA, f"{path}: {name}")
    materials = [
        _material(file, segments, captions, skips, language=language, cut=data.cut)
        for file, segments in found.items()
    ]
    names = [{one.media[0] for one in segments} for segments in found.values()]
    return [
        replace(one, unsure=tuple(sorted(span for name in there for span in unsure.get(name, ()))))
        for one, there in zip(materials, names, strict=True)
    ]


def _told(segment: Segment, path: Path, skips: Skips) -> bool:
    """Whether something is wrong with a row, which then is listed."""
    fault = fault_in(segment.when, segment.text)
    if fault:
        skips.add(fault, f"{path}:{segment.line}")
    return fault is not None


def _material(
    file: Path,
    segments: Sequence[Segment],
    captions: Path | None,
    skips: Skips,
    *,
    language: str,
    cut: bool,
) -> Material:
    first = segments[0]
    films = first.films or (first.video,)
    words = None if cut else _words(first, captions, skips, language)
    if words is None and not cut:
        skips.add(Fault.NO_TRANSCRIPT, first.video)
    unique = {(one.when, one.text): one for one in segments}
    events = sorted((Cue(when, text, language) for when, text in unique), key=lambda cue: cue.when)
    return Material(
        id=first.media[0] if cut else first.video,
        film=films[-1],
        films=films,
        media=file,
        events=tuple(events),
        words=words or (),
        segments=tuple(unique.values()),
        language=language,
        streams=words is not None,
        cut=cut,
    )


def _words(
    segment: Segment, captions: Path | None, skips: Skips, language: str
) -> tuple[Word, ...] | None:
    path = captions_named(captions, segment.media)
    if path is None:
        return None
    try:
        return words_in(read_cues(path, skips, language=language))
    except InputError as error:
        skips.add(Fault.BAD_CAPTIONS, str(path), str(error))
        return None
