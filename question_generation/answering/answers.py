"""What participants answered (JSONL), what comes of it: accuracy, and items to look at again."""

from __future__ import annotations

import os
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal

from question_generation.item import Item
from question_generation.options import LETTERS
from strad.errors import InputError
from strad.line_file import LineFile
from strad.questions import Index
from strad.record import Id, Record

ANSWERS = "study-answers.jsonl"
CLIPS, QUESTIONS = 2, 10
"""Of each participant, as in the paper."""


class AnswersHeader(Record):
    """The optional first line."""

    strad: Literal["study answers"]
    version: Literal[1]


class Given(Record):
    """One answer."""

    participant: Id
    """A random code; nothing else is known of a person."""
    item: Id
    chosen: Index
    """Of the options, from 0."""


FILE = LineFile(AnswersHeader, Given)


class AnswersFile:
    """Answers in memory and on disk. Several threads may ask at once."""

    def __init__(self, path: Path) -> None:
        """Reads what is there. Raises FormatError with file and line."""
        self._path, self._lock = path, threading.Lock()
        self._done: dict[str, set[str]] = defaultdict(set)
        for given in answers_in(path) if path.exists() else ():
            self._done[given.participant].add(given.item)

    def done(self, participant: str) -> frozenset[str]:
        """The items that were answered under this code."""
        with self._lock:
            return frozenset(self._done.get(participant, ()))

    def add(self, given: Given) -> None:
        """Keep it, on disk before this returns; a second answer to the same item is not taken."""
        with self._lock:
            if given.item in self._done[given.participant]:
                return
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{given.line()}\n")
                file.flush()
                os.fsync(file.fileno())
            self._done[given.participant].add(given.item)


def answers_in(path: Path) -> list[Given]:
    """All of a file. Raises InputError, FormatError with file and line."""
    try:
        with path.open(encoding="utf-8") as file:
            return list(FILE.each(file, file=str(path)))
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None


def drawn(
    items: Sequence[Item],
    participant: str,
    seed: int,
    *,
    clips: int = CLIPS,
    questions: int = QUESTIONS,
) -> list[Item]:
    """A participant's questions, clip after clip: the same again for the same code."""
    by_clip: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_clip[item.video_id].append(item)
    each = questions // clips
    chance = Random(f"study {seed} {participant}")
    whole = [clip for clip, of_clip in sorted(by_clip.items()) if len(of_clip) >= each]
    chosen = (
        chance.sample(whole, clips)
        if len(whole) >= clips
        else chance.sample(sorted(by_clip), min(clips, len(by_clip)))
    )
    found: list[Item] = []
    for clip in chosen:
        found += chance.sample(by_clip[clip], min(each, len(by_clip[clip])))
    return found


def results(items: Mapping[str, Item], given: Sequence[Given]) -> dict[str, Any]:
    """Accuracy, over all and by category; the audit: items that people got wrong, most first."""
    known = [one for one in given if one.item in items]
    right, asked = Counter[str](), Counter[str]()
    wrong: dict[str, list[str]] = defaultdict(list)
    for one in known:
        item = items[one.item]
        group = item.category or item.task or "none"
        asked[group] += 1
        if one.chosen == item.answer_index:
            right[group] += 1
        else:
            wrong[one.item].append(LETTERS[one.chosen])
    answered = Counter(one.item for one in known)
    audit = sorted(wrong, key=lambda name: (-len(wrong[name]) / answered[name], name))
    return {
        "participants": len({one.participant for one in known}),
        "answers": len(known),
        "accuracy": round(right.total() / len(known), 4) if known else None,
        "by_category": {
            group: {"right": right[group], "asked": many, "accuracy": round(right[group] / many, 4)}
            for group, many in sorted(asked.items())
        },
        "audit": [_audited(items[name], wrong[name], answered[name]) for name in audit],
    }


def _audited(item: Item, wrong: Sequence[str], answered: int) -> dict[str, Any]:
    at = item.answer_index
    return {
        "id": item.id,
        "video": item.video_id,
        "question": item.question,
        "options": list(item.options),
        "key": None if at is None else LETTERS[at],
        "wrong_answers": dict(sorted(Counter(wrong).items())),
        "answered": answered,
    }
