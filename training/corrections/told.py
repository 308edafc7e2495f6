"""What a stream told: its log, predictions or a track; and what viewers flagged of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from strad.cues import Cue
from strad.errors import FormatError, InputError, ProtocolError, UnknownMessageError
from strad.flag import FLAGS, FlaggedEvent
from strad.line_file import LineFile
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.record import TimedText
from strad.srt import read_srt
from strad.text_file import read_text
from strad.timeline import Interval, from_seconds
from strad.webvtt import read_webvtt
from strad.wire.viewing import Ad, Withdraw, parse_logged


def told_in(path: Path, video_id: str = "") -> list[Cue]:
    """The descriptions that stood in the end, by their start. What was withdrawn is not among them.

    ``path``: the messages that ``strad listen --jsonl`` prints, predictions (JSONL; of several
    videos that of ``video_id``), WebVTT or SRT. Raises InputError, FormatError.
    """
    text = read_text(path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first.startswith("{"):
        return track(path)
    marks = _object(first)
    if marks.get("strad") == "flags":
        raise InputError(
            f"{path}: holds flagged descriptions alone: give it as --flags, not as LOG"
        )
    found = _logged(text, path) if "type" in marks else _predicted(text, path, video_id)
    return sorted(found, key=lambda cue: cue.when)


def track(path: Path) -> list[Cue]:
    """A WebVTT or SRT file's cues, by their start. Raises InputError, FormatError."""
    text = read_text(path)
    read = read_webvtt if text.startswith("WEBVTT") else read_srt
    return sorted(read(text, file=str(path)), key=lambda cue: cue.when)


def edited_in(path: Path, video_id: str = "") -> list[Cue]:
    """What an editor made of it: a track, or predictions. Texts that are empty are passed over."""
    return [cue for cue in told_in(path, video_id) if cue.text.strip()]


def flagged_in(path: Path) -> list[FlaggedEvent]:
    """A file that ``strad flags --export`` has written. Raises InputError, FormatError."""
    _, found = FLAGS.read(read_text(path).split("\n"), file=str(path))
    return found


def flags_of(cue: Cue, flagged: Iterable[FlaggedEvent]) -> tuple[FlaggedEvent, ...]:
    """Those of this description: the same text at the same time."""
    return tuple(
        one
        for one in flagged
        if one.text.strip() == cue.text.strip() and _cue(one, cue.language).when == cue.when
    )


def _logged(text: str, path: Path) -> list[Cue]:
    told: dict[str, Cue] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            message = parse_logged(line)
        except UnknownMessageError:
            continue  # words, gaps, answers: of none of them is there a description
        except ProtocolError as error:
            raise FormatError(str(error), file=str(path), line=number) from None
        if isinstance(message, Ad):
            told[message.id] = message.cue()
        elif isinstance(message, Withdraw):
            told.pop(message.id, None)
    return list(told.values())


def _predicted(text: str, path: Path, video_id: str) -> list[Cue]:
    lines: LineFile[PredictionsHeader, Prediction] = PREDICTIONS
    _, found = lines.read(text.split("\n"), file=str(path))
    videos = sorted({one.video_id for one in found})
    if len(videos) > 1 and video_id not in videos:
        raise InputError(
            f"{path}: holds {len(videos)} videos ({', '.join(videos[:5])}): give --video-id"
        )
    wanted = video_id if video_id in videos else next(iter(videos), "")
    return [_cue(one, "en") for one in found if one.video_id == wanted]


def _cue(one: TimedText | FlaggedEvent, language: str) -> Cue:
    return Cue(Interval(from_seconds(one.start), from_seconds(one.end)), one.text, language)


def _object(line: str) -> Mapping[str, object]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
