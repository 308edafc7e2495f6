"""From references and predictions to rows, one for each reference."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from strad.errors import FormatError, InputError
from strad.manifest import Manifest, Video
from strad.predictions import Prediction
from strad_eval.java import find_jars
from strad_eval.matching.in_order import best_pairs
from strad_eval.matching.iou import overlaps
from strad_eval.material import Predictions
from strad_eval.segments.readings import SegmentReadings
from strad_eval.segments.row import Row, Rows
from strad_eval.tokens import ptb
from strad_eval.tokens.jar import tokenize_all
from strad_eval.tokens.lines import one_line
from strad_eval.unit import Event, spans_of

_Numbered = Sequence[tuple[int, Prediction]]
_Pairer = Callable[[Sequence[Event], _Numbered, SegmentReadings, str], dict[int, str]]
"""For some references, by their place, the text predicted; the rest has none."""
TOO_MANY = "predictions that belong to no reference (left out)"


def pair_rows(
    manifest: Manifest,
    given: Predictions,
    readings: SegmentReadings,
    films: Mapping[str, str] | None = None,
    *,
    in_time: bool = False,
) -> Rows:
    """A row for each reference. ``in_time`` finds pairs by overlap, for whole documents.

    ``films`` maps a video to its IMDb id where the manifest doesn't. Raises FormatError with file
    and line for a prediction that belongs to nothing, unless the reading ignores it.
    """
    by_video = _by_video(given, {video.id for video in manifest.videos}, readings)
    pairer = _by_overlap if in_time else _by_order if readings.pair == "order" else _by_times
    found = Rows(manifest.name, [], predicted=len(given.items))
    if len(given.items) > sum(map(len, by_video.values())):
        found.odd[TOO_MANY] += len(given.items) - sum(map(len, by_video.values()))
    for video in manifest.videos:
        _add_video(found, video, by_video.get(video.id, []), readings, films or {}, pairer, given)
    _note(found, readings)
    if not found.rows:
        raise InputError(f"{manifest.name}: no row to score")
    _tokenize(found, readings)
    return found


def _add_video(
    found: Rows,
    video: Video,
    predictions: _Numbered,
    readings: SegmentReadings,
    films: Mapping[str, str],
    pairer: _Pairer,
    given: Predictions,
) -> None:
    film = str((video.model_extra or {}).get("imdbid") or films.get(video.id) or "")
    if not film:
        found.odd["videos without an IMDb id (their own id stands for it)"] += 1
    references = [Event(one.start, one.end, one_line(one.text)) for one in video.ad]
    texts = pairer(references, predictions, readings, given.file)
    found.odd[TOO_MANY] += len(predictions) - len(texts)
    found.paired += len(texts)
    for place, reference in enumerate(references):
        description = one_line(texts.get(place, ""))
        found.odd["references without a prediction"] += place not in texts
        found.rows.append(Row(film or video.id, video.id, reference, description))


def _by_video(
    given: Predictions, known: set[str], readings: SegmentReadings
) -> dict[str, list[tuple[int, Prediction]]]:
    found: dict[str, list[tuple[int, Prediction]]] = defaultdict(list)
    for line, one in given.items:
        if one.video_id in known:
            found[one.video_id].append((line, one))
        elif readings.unknown == "refuse":
            what = f"no video {one.video_id!r} among the references"
            hint = "--reading unknown=ignore leaves it out"
            raise FormatError(f"{what} ({hint})", file=given.file, line=line)
    return found


def _by_times(
    references: Sequence[Event], predictions: _Numbered, readings: SegmentReadings, file: str
) -> dict[int, str]:
    """By start and end to the millisecond; of equal times in the files' order."""
    waiting: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, event in enumerate(references):
        waiting[_ms(event.start, event.end)].append(place)
    texts: dict[int, str] = {}
    for line, one in predictions:
        places = waiting.get(_ms(one.start, one.end))
        if places:
            texts[places.pop(0)] = one.text
        elif readings.unknown == "refuse":
            what = f"no reference of {one.video_id!r} left from {one.start:g} to {one.end:g} s"
            raise FormatError(
                f"{what} (--reading pair=order, or unknown=ignore)", file=file, line=line
            )
    return texts


def _by_order(
    references: Sequence[Event], predictions: _Numbered, readings: SegmentReadings, file: str
) -> dict[int, str]:
    if predictions and len(predictions) != len(references):
        line, one = predictions[-1]
        what = f"{len(predictions)} predictions for {len(references)} references of"
        raise FormatError(
            f"{what} {one.video_id!r}: pair=order wants as many", file=file, line=line
        )
    theirs = sorted(range(len(references)), key=lambda place: references[place].start)
    ours = sorted((one for _, one in predictions), key=lambda one: one.start)
    return {place: one.text for place, one in zip(theirs, ours, strict=False)}


def _by_overlap(
    references: Sequence[Event], predictions: _Numbered, readings: SegmentReadings, file: str
) -> dict[int, str]:
    """One to one, both orders kept, with the largest sum of IoU."""
    places = sorted(range(len(references)), key=lambda place: references[place].start)
    events = sorted((one for _, one in predictions), key=lambda one: one.start)
    theirs = spans_of(references[place] for place in places)
    ours = spans_of(Event(one.start, one.end, one.text) for one in events)
    pairs = overlaps(theirs, ours).above(readings.least_iou)
    best = best_pairs(pairs.g, pairs.p, pairs.iou, len(events))
    return {places[int(pairs.g[row])]: events[int(pairs.p[row])].text for row in best}


def _ms(start: float, end: float) -> tuple[int, int]:
    return round(start * 1000), round(end * 1000)


def _note(found: Rows, readings: SegmentReadings) -> None:
    empty = sum(row.empty for row in found.rows)
    said = "left out" if readings.missing == "drop" else "scored 0"
    found.odd[f"rows without words in the prediction, missing ones too ({said})"] += empty
    found.odd["empty references (kept; nothing can match them)"] += sum(
        not row.reference.text for row in found.rows
    )
    if readings.missing == "drop":
        found.rows = [row for row in found.rows if not row.empty]
    found.odd = Counter({what: times for what, times in found.odd.items() if times})


def _tokenize(found: Rows, readings: SegmentReadings) -> None:
    texts = [text for row in found.rows for text in (row.reference.text, row.description)]
    if readings.tokens == "jar":
        tokens = tokenize_all(texts, find_jars())
    else:
        tokens = [ptb.tokenize(text) for text in texts]
    found.rows = [
        dataclasses.replace(
            row, reference=dataclasses.replace(row.reference, tokens=theirs), tokens=ours
        )
        for row, theirs, ours in zip(found.rows, tokens[::2], tokens[1::2], strict=True)
    ]
