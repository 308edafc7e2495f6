"""A run over segments: a describer that hears gets the sound; the journal goes on after a crash."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from service.segments.journal import Finished, Journal
from service.segments.run import SegmentRun, Watcher
from strad.decision import WaitReason
from strad.errors import InputError, WorkError
from strad.timeline import Interval
from streaming.ingest import IngestOptions
from streaming.prompt.wav import wav
from streaming.tasks.segments.describer import Said
from streaming.tasks.segments.segment import Clip, Segment
from tests.streaming.clips import Recipe, clip, loud

pytestmark = pytest.mark.service

ME = {"strad": "segment-journal", "describer": "x"}


@dataclass(slots=True)
class Listener:
    """Describes a segment by the second in which it beeps."""

    hears: bool = True
    name: str = "listener"
    clips: list[Clip] = field(default_factory=list)

    async def describe(self, clip: Clip) -> Said:
        self.clips.append(clip)
        pcm = wav(clip.audio, clip.shown)[44:]
        length = clip.shown.duration // 1000
        beeps = [n for n in range(length) if loud(pcm, n + 0.5)]
        return Said(f"It beeps {beeps}.") if beeps else Said("", WaitReason.EMPTY)


def segment(line: int, start: int, end: int) -> Segment:
    when = Interval(start, end)
    return Segment(line, "film", start / 1000, end / 1000, when, ("film",), (), "", pad=1_000)


def described(film: Path, journal: Journal, *segments: Segment) -> Listener:
    listener = Listener()
    with journal:
        run = SegmentRun(listener, journal, Watcher(), 2, IngestOptions())
        asyncio.run(run.run({film: segments}))
    return listener


def test_a_describer_that_hears_gets_the_sound_of_what_is_shown(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(clip(Recipe(seconds=12, fps=5, gop=10, size=(96, 54), beeps=((4.0, 5.0),))))
    journal = Journal(tmp_path / "journal", ME)
    segments = (segment(2, 3_000, 6_000), segment(3, 9_000, 11_000), segment(4, 4_000, 7_000))
    listener = described(film, journal, *segments)
    assert journal.finished == {
        2: Finished("It beeps [2]."),
        3: Finished("", "empty"),
        4: Finished("It beeps [1]."),
    }
    assert sorted(one.shown for one in listener.clips) == [
        Interval(2_000, 7_000),
        Interval(3_000, 8_000),
        Interval(8_000, 12_000),
    ]
    assert all(len(one.frames) == 8 for one in listener.clips)
    again = Journal(tmp_path / "journal", ME)
    again.read()
    assert again.finished == journal.finished
    assert described(film, again, *segments).clips == []


def test_a_line_that_a_crash_cut_is_done_again_and_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, ME) as journal:
        for line in (2, 3):
            journal.add(line, Finished(f"Text {line}, \u201cquoted\u201d."))
    path.write_bytes(path.read_bytes()[:-6])
    again = Journal(path, ME)
    again.read()
    assert list(again.finished) == [2]
    with again:
        again.add(4, Finished("Text 4."))
    third = Journal(path, ME)
    third.read()
    assert list(third.finished) == [2, 4]


def test_another_runs_journal_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, ME):
        pass
    with pytest.raises(InputError, match="with another describer: name another output"):
        Journal(path, {**ME, "describer": "y"}).read()
    path.write_text("")
    with pytest.raises(InputError, match="is of a run with another"):
        Journal(path, ME).read()


def test_a_journal_is_one_runs_and_whatever_stands_in_it_is_read(tmp_path: Path) -> None:
    """Lines that are cut, or no segment's, count as not there; texts may hold any line end."""
    path = tmp_path / "journal"
    first = Journal(path, ME)
    with first:
        first.add(2, Finished("One\u2028line."))
        with pytest.raises(WorkError, match="another run works in it"), Journal(path, ME):
            pass
    with path.open("a") as file:
        file.write('[]\n{"line": 3}\n{"line": "4", "text": "a", "why": ""}\n{"line": 5, "te')
    second = Journal(path, ME)
    second.read()
    assert second.finished == {2: Finished("One\u2028line.")}
    with second:
        second.add(5, Finished("Two."))
    third = Journal(path, ME)
    third.read()
    assert set(third.finished) == {2, 5}
