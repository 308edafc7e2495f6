"""Questions from files: our own JSONL, CinePile's table, JointAVBench's JSON."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import parse_qs, urlsplit

from strad.csv_rows import read_rows
from strad.errors import FormatError
from strad.questions import ANSWERS, QUESTIONS, Question
from strad.record import check_json
from strad.text_file import read_text
from strad_eval.mcq.item import Item
from strad_eval.mcq.readings import McqReadings
from strad_eval.mcq.tasks import code_of, groups_of

Benchmark: TypeAlias = Literal["cinepile", "jointav"]
_Entry: TypeAlias = tuple[int | None, Mapping[str, Any]]
"""A line, where one is known, and what stands there."""
_HARD = {"true": "hard", "1": "hard", "1.0": "hard", "false": "easy", "0": "easy", "0.0": "easy"}
_VISUAL = {
    "true": "visual",
    "1": "visual",
    "1.0": "visual",
    "false": "dialogue",
    "0": "dialogue",
    "0.0": "dialogue",
}


def read_questions(
    path: Path, benchmark: Benchmark, readings: McqReadings, key: Path | None = None
) -> list[Item]:
    """All questions, in the file's order. Raises FormatError with file and, where known, line.

    ``key`` is an answer key of ours, for questions of ours whose answers are kept apart.

    A file of ours is known by its ``options``; else CinePile's columns (CSV, JSON or JSONL, as its
    table is exported) or JointAVBench's members are wanted.
    """
    entries = list(_entries(path))
    if not entries:
        raise FormatError("no questions in it", file=str(path))
    read = _ours if "video_id" in entries[0][1] else _FOREIGN[benchmark]
    if key is not None:
        entries = _with_key(entries, key)
    times: Counter[str] = Counter()
    items = [read(entry, path, readings, times) for entry in entries]
    seen: set[str] = set()
    for (line, _), item in zip(entries, items, strict=True):
        if item.id in seen:
            raise FormatError(f"two questions are called {item.id!r}", file=str(path), line=line)
        seen.add(item.id)
    return items


def _with_key(entries: list[_Entry], key: Path) -> list[_Entry]:
    """Each question with its answer, where the key has one and the question has none."""
    lines = read_text(key).split("\n")
    known = {one.id: one.answer_index for one in ANSWERS.read(lines, file=str(key))[1]}
    return [
        (line, {**fields, "answer_index": known[fields["id"]]})
        if fields.get("answer_index") is None and fields.get("id") in known
        else (line, fields)
        for line, fields in entries
    ]


def _entries(path: Path) -> Iterator[_Entry]:
    if path.suffix.lower() == ".csv":
        yield from read_rows(path, ("question", "choices"))
        return
    text = read_text(path)
    if text.lstrip().startswith("["):
        check_json(text, file=str(path))
        for entry in json.loads(text):
            yield None, _object(entry, path, None)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            check_json(line, file=str(path), first_line=number)
            found = _object(json.loads(line), path, number)
            if "strad" not in found:
                yield number, found


def _object(entry: object, path: Path, line: int | None) -> Mapping[str, Any]:
    if not isinstance(entry, dict):
        raise FormatError("not a question", file=str(path), line=line)
    return entry


def _ours(entry: _Entry, path: Path, readings: McqReadings, times: Counter[str]) -> Item:
    line, fields = entry
    text = json.dumps(fields)
    (one,) = QUESTIONS.read([text], file=str(path))[1]
    if one.answer_index is None:
        raise FormatError(
            f"{one.id}: no answer_index to score by, nor in a --answer-key",
            file=str(path),
            line=line,
        )
    groups = _our_groups(one, readings, path, line)
    extra = one.model_extra or {}
    dialogue = extra.get("subtitles")
    return Item(
        one.id,
        one.video_id,
        one.question,
        one.options,
        one.answer_index,
        groups,
        one.segment,
        dialogue if isinstance(dialogue, str) else None,
    )


def _our_groups(
    one: Question, readings: McqReadings, path: Path, line: int | None
) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    if one.category is not None:
        groups["category"] = (_plain(one.category),)
    if one.hard is not None:
        groups["hard split"] = ("hard" if one.hard else "easy",)
    if one.visual_reliance is not None:
        groups["reliance"] = ("visual" if one.visual_reliance else "dialogue",)
    if one.task is not None:
        groups |= groups_of(_code(one.task, path, line), readings.mpo)
    return groups | _duration(one.segment, readings)


def _cinepile(entry: _Entry, path: Path, readings: McqReadings, times: Counter[str]) -> Item:
    line, fields = entry
    options = _options(fields.get("choices"), path, line)
    video = _video(fields)
    times[video] += 1
    position = fields.get("answer_key_position")
    try:
        answer = int(float(str(position)))
    except ValueError:
        answer = -1
    if not 0 <= answer < len(options):
        what = f"answer_key_position: not one of {len(options)} choices: {position!r}"
        raise FormatError(what, file=str(path), line=line)
    groups: dict[str, tuple[str, ...]] = {
        "category": (_plain(str(fields.get("question_category") or "none")),),
        "hard split": (_HARD.get(str(fields.get("hard_split")).lower(), "not said"),),
        "reliance": (_VISUAL.get(str(fields.get("visual_reliance")).lower(), "not said"),),
    }
    subtitles = fields.get("subtitles")
    return Item(
        f"{video}:{times[video]}",
        video,
        _text(fields, "question", path, line),
        options,
        answer,
        groups,
        dialogue=subtitles if isinstance(subtitles, str) else None,
    )


def _jointav(entry: _Entry, path: Path, readings: McqReadings, times: Counter[str]) -> Item:
    line, fields = entry
    options = _options(fields.get("options"), path, line)
    right = _text(fields, "correct_answer", path, line).strip()
    places = [i for i, option in enumerate(options) if option.strip() == right]
    if len(places) != 1:
        what = f"correct_answer is {len(places)} of the options"
        raise FormatError(what, file=str(path), line=line)
    span = _span(fields.get("segment_timestamp"), path, line)
    code = _code(_text(fields, "task", path, line), path, line)
    return Item(
        _text(fields, "qid", path, line),
        _text(fields, "video_name", path, line),
        _text(fields, "question", path, line),
        options,
        places[0],
        groups_of(code, readings.mpo) | _duration(span, readings),
        span,
    )


_Reader: TypeAlias = Callable[[_Entry, Path, McqReadings, "Counter[str]"], Item]
_FOREIGN: dict[Benchmark, _Reader] = {"cinepile": _cinepile, "jointav": _jointav}


def _options(value: object, path: Path, line: int | None) -> tuple[str, ...]:
    if isinstance(value, str):
        # A list as CSV has it: Python's, or numpy's, which has no commas.
        try:
            value = ast.literal_eval(re.sub(r"""(?<=['"])\s*\n?\s+(?=['"])""", ", ", value))
        except (ValueError, SyntaxError):
            value = None
    good = isinstance(value, Sequence) and all(isinstance(one, str) for one in value)
    if not isinstance(value, list | tuple) or not good or not 2 <= len(value) <= 26:
        raise FormatError("want a list of 2 to 26 options", file=str(path), line=line)
    return tuple(value)


def _span(value: object, path: Path, line: int | None) -> tuple[float, float] | None:
    if value is None:
        return None
    match value:
        case [int() | float() as start, int() | float() as end] if 0 <= start <= end:
            return float(start), float(end)
    raise FormatError(f"segment_timestamp: not a span: {value!r}", file=str(path), line=line)


def _video(fields: Mapping[str, Any]) -> str:
    link = str(fields.get("yt_clip_link") or "")
    linked = parse_qs(urlsplit(link).query).get("v", [""])[0]
    return str(fields.get("videoID") or linked or fields.get("yt_clip_title") or "video")


def _code(task: str, path: Path, line: int | None) -> str:
    code = code_of(task)
    if code is None:
        raise FormatError(f"no such task of JointAVBench: {task!r}", file=str(path), line=line)
    return code


def _duration(
    segment: tuple[float, float] | None, readings: McqReadings
) -> dict[str, tuple[str, ...]]:
    if segment is None:
        return {}
    edges = (0.0, *readings.durations)
    at = sum(segment[1] - segment[0] >= edge for edge in readings.durations)
    above = f"to {edges[at + 1]:g} s" if at + 1 < len(edges) else "s and more"
    return {"duration": (f"{edges[at]:g} {above}",)}


def _text(fields: Mapping[str, Any], name: str, path: Path, line: int | None) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise FormatError(f"{name}: no text", file=str(path), line=line)
    return value


def _plain(text: str) -> str:
    """CinePile's categories have a line end inside."""
    return " ".join(text.split())
