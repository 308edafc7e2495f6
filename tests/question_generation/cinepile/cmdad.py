"""CMD-AD's films as described films: its descriptions at their times, dialogue out of a seed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import median

from question_generation.jointav.video import VIDEOS, Video
from strad.cues import Cue
from strad.record import TimedText
from strad.webvtt import write_webvtt
from tests.question_generation.cinepile.front.films import misheard

CMDAD = Path(__file__).parents[4] / "shared" / "data" / "ad" / "cmdad_anno.csv"
ASKS = ("Did you", "Why would you", "I told you to", "We have to", "You never", "I want to")
ASKS += ("Don't you dare", "She said you'd", "How could anybody", "Let's", "I can't")
DOES = ("sell", "hide", "forget", "steal", "paint", "burn", "borrow", "trust", "follow", "mend")
DOES += ("bury", "visit", "marry", "leave", "fear", "photograph", "believe", "obey")
WHAT = ("my brother's boat", "the second letter", "that old piano", "your cousin in Boston")
WHAT += ("the men from the bank", "our only horse", "a word of it", "the judge's daughter")
WHAT += ("three hundred dollars", "the key to the cellar", "all those maps", "the broken radio")
WHEN = ("before Friday", "again", "for nothing", "after the war", "without me", "tonight")
WHEN += ("in front of everyone", "when I was away", "like a child", "at your age", "for a song")
SPEECH = 2.2
"""Seconds of a line."""


@dataclass(frozen=True, slots=True)
class CutClip:
    """One clip, and what is known of it."""

    name: str
    offset: float
    """The film's time of its first moment."""
    duration: float
    seen: list[TimedText]
    """In the clip's time."""
    said: list[TimedText]


@dataclass(frozen=True, slots=True)
class DescribedFilm:
    name: str
    title: str
    lines: list[TimedText]
    clips: list[CutClip]


def described_films(count: int, seed: int = 0) -> list[DescribedFilm]:
    """Those with the most descriptions first."""
    with CMDAD.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["text"].strip()]
    films = {name: list(told) for name, told in groupby(rows, key=lambda row: row["imdbid"])}
    names = sorted(films, key=lambda name: (-len(films[name]), name))[:count]
    return [_film(name, films[name], Random(f"{seed} {name}")) for name in names]


def _film(name: str, rows: Sequence[Mapping[str, str]], chance: Random) -> DescribedFilm:
    clips = [
        _clip(clip, list(told), chance)
        for clip, told in groupby(rows, key=lambda row: row["cmd_filename"])
    ]
    lines = [
        TimedText(start=c.offset + x.start, end=c.offset + x.end, text=x.text)
        for c in clips
        for x in (*c.seen, *c.said)
    ]
    lines.sort(key=lambda line: (line.start, line.end))
    return DescribedFilm(name, rows[0]["movie_title"], lines, clips)


def _clip(name: str, rows: Sequence[Mapping[str, str]], chance: Random) -> CutClip:
    offset = median(float(row["end"]) - float(row["scaled_end"]) for row in rows)
    starts = [max(0.0, float(row["start"]) - offset) for row in rows]
    seen = [
        TimedText(start=at, end=max(at, float(row["end"]) - offset), text=row["text"])
        for at, row in zip(starts, rows, strict=True)
    ]
    end = max(line.end for line in seen) + 12
    return CutClip(name, offset, end, seen, _dialogue(seen, end, chance))


def _dialogue(seen: Sequence[TimedText], end: float, chance: Random) -> list[TimedText]:
    """Lines wherever the describer is silent for long enough."""
    found, at = list[TimedText](), 0.3
    for start, over in [*((one.start, one.end) for one in seen), (end, end)]:
        while at + SPEECH < start:
            found.append(TimedText(start=at, end=at + SPEECH, text=_spoken(chance)))
            at += SPEECH + chance.uniform(0.3, 2.0)
        at = max(at, over + 0.2)
    return found


def _spoken(chance: Random) -> str:
    ask = chance.choice(ASKS)
    mark = "?" if ask.startswith(("Did", "Why", "Don't you", "How")) else "."
    return f"{ask} {chance.choice(DOES)} {chance.choice(WHAT)} {chance.choice(WHEN)}{mark}"


def written(films: Sequence[DescribedFilm], folder: Path, chance: Random) -> Path:
    """Transcripts of films and clips with a recogniser's mistakes; the file of videos."""
    videos = []
    for film in films:
        _vtt(folder / "films" / f"{film.name}.vtt", misheard(film.lines, chance, 0.03))
        for clip in film.clips:
            name = f"{clip.name.replace('/', '-')}.vtt"
            _vtt(folder / name, misheard(clip.said, chance, 0.08))
            videos.append(
                Video(id=clip.name, clip=f"{clip.name}.mp4", subtitles=name, film_id=film.name)
            )
    (folder / "videos.jsonl").write_text(VIDEOS.write(videos))
    return folder / "videos.jsonl"


def _vtt(path: Path, lines: Sequence[TimedText]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_webvtt([Cue(one.when, one.text) for one in lines]))
