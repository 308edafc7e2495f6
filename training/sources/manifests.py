"""Material from a manifest of videos with references and transcripts (docs/formats.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from strad.errors import FormatError
from strad.manifest import Video, read_manifest
from strad.record import Record, Seconds, TimedText, check_json, parse_record
from strad.text_file import read_text
from strad.timeline import Interval, from_seconds
from streaming.tasks.segments.media_files import ENDINGS
from streaming.tasks.segments.segment import PAD, Segment
from training.material import Material
from training.skipped import Fault, Skips, doubtful, fault_in


def manifest_materials(path: Path, media: Path | None, skips: Skips) -> list[Material]:
    """Of every video that can be used. Raises InputError, FormatError for no manifest at all."""
    text = read_text(path)
    check_json(text, file=str(path))
    data = json.loads(text)
    if not isinstance(data, dict) or not isinstance(data.get("videos"), list):
        read_manifest(text, file=str(path))
    found: list[Material] = []
    for number, entry in enumerate(data["videos"]):
        unsure: list[Interval] = []
        video = _video(entry, f"{path}: videos.{number}", skips, unsure)
        material = _material(video, path, media, skips, unsure) if video is not None else None
        found += [material] if material is not None else []
    return found


def _video(entry: object, where: str, skips: Skips, unsure: list[Interval]) -> Video | None:
    """The video without what is wrong in it; ``unsure`` gets when wrong descriptions lie."""
    cleaned = entry
    if isinstance(entry, dict):
        name = f"{where} ({entry.get('id')})"
        cleaned = dict(entry)
        for part, lost in (("ad", unsure), ("transcript", list[Interval]())):
            if isinstance(entry.get(part), list):
                cleaned[part] = list(_sound(entry[part], f"{name} {part}", skips, lost))
    try:
        return parse_record(Video, json.dumps(cleaned), file=where)
    except FormatError as error:
        skips.add(Fault.BAD_ENTRY, where, error.what)
        return None


def _sound(items: list[Any], where: str, skips: Skips, lost: list[Interval]) -> Iterator[Any]:
    """The texts of which nothing is wrong with time or text."""
    for number, item in enumerate(items):
        try:
            found = parse_record(_Loose, json.dumps(item))
        except FormatError as error:
            skips.add(Fault.BAD_ENTRY, f"{where}.{number}", error.what)
            continue
        fault = None if found.text.strip() else Fault.EMPTY_TEXT
        if found.end <= found.start:
            fault = Fault.REVERSED_TIMES
        if fault:
            skips.add(fault, f"{where}.{number}")
            lost.append(doubtful(from_seconds(found.start), from_seconds(found.end)))
        else:
            yield item


class _Loose(Record):
    """A text whose times may be in any order."""

    start: Seconds
    end: Seconds
    text: str


def _material(
    video: Video, path: Path, media: Path | None, skips: Skips, unsure: list[Interval]
) -> Material | None:
    file = _media_of(video, path.parent, media)
    if file is None:
        skips.add(Fault.MISSING_MEDIA, f"{path}: {video.id}")
        return None
    if video.transcript is None:
        skips.add(Fault.NO_TRANSCRIPT, f"{path}: {video.id}")
    told = [(text, _told(text, f"{path}: {video.id}", skips)) for text in video.ad]
    texts = [text for text, wrong in told if not wrong]
    unsure += [doubtful(text.when.start, text.when.end) for text, wrong in told if wrong]
    extra = video.model_extra or {}
    named = (extra.get(name) for name in ("film", "imdbid"))
    known = (name.strip() for name in named if isinstance(name, str))
    films = tuple(dict.fromkeys(name for name in (*known, video.id) if name))
    return Material(
        id=video.id,
        film=films[0],
        films=films,
        media=file,
        events=tuple(sorted((t.cue(video.language) for t in texts), key=lambda cue: cue.when)),
        words=video.words(),
        segments=tuple(_segment(n, t, video, films) for n, t in enumerate(texts, start=1)),
        language=video.language,
        streams=video.transcript is not None,
        unsure=tuple(sorted(unsure)),
    )


def _told(text: TimedText, where: str, skips: Skips) -> bool:
    """Whether something is wrong with a description, which then is listed."""
    fault = fault_in(text.when, text.text)
    if fault:
        skips.add(fault, f"{where} at {text.start:g} s")
    return fault is not None


def _segment(number: int, text: TimedText, video: Video, films: tuple[str, ...]) -> Segment:
    return Segment(
        line=number,
        video=video.id,
        start=text.start,
        end=text.end,
        when=text.when,
        media=(),
        films=films,
        text=" ".join(text.text.split()),
        pad=PAD,
    )


def _media_of(video: Video, folder: Path, media: Path | None) -> Path | None:
    source = video.source
    names = [video.id, *([source.youtube_id] if source and source.youtube_id else [])]
    for name in names if media is not None else ():
        if Path(name).name == name:
            for end in ENDINGS:
                if media is not None and (path := media / f"{name}.{end}").is_file():
                    return path
    if source is not None and source.path and (path := folder / source.path).is_file():
        return path
    return None
