"""Described films and clips cut from them at known times, heard by a recogniser that errs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from question_generation.cinepile.front.corpus import own_corpus
from question_generation.cinepile.front.labelled import DIALOGUE
from strad.record import TimedText

LETTERS = "aeioutnsrl"


@dataclass(frozen=True, slots=True)
class Film:
    """What is heard in it: dialogue, and the describer's voice."""

    lines: list[TimedText]
    said: list[TimedText]
    """Those that the film without descriptions has too."""


@dataclass(frozen=True, slots=True)
class Clip:
    start: float
    """In the film."""
    duration: float
    lines: list[TimedText]

    @property
    def last(self) -> float:
        """The end of its last line, in the film: without media nobody knows more."""
        return self.start + self.lines[-1].end


def table_film(path: Path, films: Sequence[int], chance: Random) -> Film:
    """Sentences of the table's films, one film after the other; half of them stand for speech."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["text"].strip()]
    names = list(dict.fromkeys(row["imdbid"] for row in rows))
    chosen, lines, at = {names[n] for n in films}, list[TimedText](), 0.0
    for row in rows:
        if row["imdbid"] in chosen:
            length = min(8.0, max(0.4, float(row["end"]) - float(row["start"])))
            at += chance.uniform(0.1, 4.0)
            lines.append(TimedText(start=at, end=at + length, text=row["text"]))
            at += length
    return Film(lines, [line for line in lines if chance.random() < 0.5])


def own_film(chance: Random) -> Film:
    """Our own sentences, shuffled: each description and each line of dialogue that says enough."""
    told = [one for one in own_corpus() if len(one.text.split()) > 4]
    chance.shuffle(told)
    lines, said, at = list[TimedText](), list[TimedText](), 0.0
    for one in told:
        start = at + chance.uniform(0.2, 4.0)
        at = start + 0.4 + 0.06 * len(one.text)
        lines.append(TimedText(start=start, end=at, text=one.text))
        said += lines[-1:] if one.kind == DIALOGUE else []
    return Film(lines, said)


def cut(film: Film, chance: Random, wrong: float = 0.12) -> Clip:
    """A clip of one to three minutes, as a recogniser heard it: ``wrong`` of its words misheard."""
    duration = chance.uniform(60, 180)
    start = chance.uniform(0, film.lines[-1].end - duration)
    heard = [
        moved
        for line in film.said
        if start <= line.start and line.end <= start + duration
        for moved in [_moved(line, -start, chance)]
    ]
    return Clip(start, duration, misheard(heard, chance, wrong))


def misheard(lines: Iterable[TimedText], chance: Random, wrong: float) -> list[TimedText]:
    """Words lost, doubled and changed; a line in ten not heard; lines broken elsewhere."""
    found: list[TimedText] = []
    for line in lines:
        if chance.random() < 0.1:
            continue
        words = [w for word in line.text.split() for w in _heard(word, chance, wrong)]
        if words:
            found += _broken(line, words, chance)
    return found


def _heard(word: str, chance: Random, wrong: float) -> list[str]:
    if chance.random() >= wrong:
        return [word]
    at = chance.randrange(len(word))
    changed = word[:at] + chance.choice(LETTERS) + word[at + 1 :]
    return chance.choice([[], [changed], [changed], [word, "uh"]])


def _broken(line: TimedText, words: list[str], chance: Random) -> list[TimedText]:
    """One line in four is two."""
    if len(words) < 6 or chance.random() > 0.25:
        return [line.model_copy(update={"text": " ".join(words)})]
    at = chance.randrange(2, len(words) - 2)
    middle = line.start + (line.end - line.start) * at / len(words)
    return [
        TimedText(start=line.start, end=middle, text=" ".join(words[:at])),
        TimedText(start=middle, end=line.end, text=" ".join(words[at:])),
    ]


def _moved(line: TimedText, by: float, chance: Random) -> TimedText:
    start = max(0.0, line.start + by + chance.uniform(-0.3, 0.3))
    end = max(start, line.end + by + chance.uniform(-0.3, 0.3))
    return TimedText(start=start, end=end, text=line.text)
