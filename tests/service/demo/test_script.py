"""The script: what a made clip really holds, and how it is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.demo.script import Picture, Script, Speech, Thing, Title
from strad.errors import FormatError
from strad.timeline import Interval

pytestmark = pytest.mark.unit


def picture(start: float, end: float, *names: str, count: int = 1) -> Picture:
    thing = Thing(names=names, count=count, subject=True)
    return Picture(what=names[0], move="hold", things=(thing,), start=start, end=end)


def title(start: float, end: float, *lines: str) -> Title:
    return Title(lines=lines, place="card", start=start, end=end)


def speech(start: float, end: float) -> Speech:
    return Speech(text="said and done", start=start, end=end)


SCRIPT = Script(
    seed=1,
    seconds=20,
    items=(
        title(0, 4, "Part Two", "The River"),
        speech(3, 5.5),
        picture(4, 12, "cat", "animal"),
        speech(6, 9),
        picture(12, 20, "person"),
        speech(12, 19.5),
    ),
)


def test_speech_is_given_as_media_time() -> None:
    assert SCRIPT.speech_spans() == [
        Interval(3_000, 5_500),
        Interval(6_000, 9_000),
        Interval(12_000, 19_500),
    ]


def test_gaps_are_where_nobody_speaks() -> None:
    assert SCRIPT.gaps(1_000) == [Interval(0, 3_000), Interval(9_000, 12_000)]
    assert SCRIPT.gaps(500)[-1] == Interval(19_500, 20_000)


def test_a_fact_has_a_gap_only_while_it_is_on_screen() -> None:
    assert [fact.when.start for fact in SCRIPT.facts_with_gap(3_000)] == [0, 4_000]
    assert len(SCRIPT.facts_with_gap(500)) == 3


def test_a_gap_holds_a_change_when_something_comes_on_screen_in_it() -> None:
    held = SCRIPT.model_copy(update={"items": (*SCRIPT.items, title(9.5, 11, "Later"))})
    assert SCRIPT.gaps_with_change(1_000) == []
    assert held.gaps_with_change(1_000) == [Interval(9_000, 12_000)]


def test_cuts_are_where_the_whole_picture_changes() -> None:
    lower = Title(lines=("A name",), place="lower third", start=5, end=7)
    script = SCRIPT.model_copy(update={"items": (*SCRIPT.items, lower)})
    assert script.cuts() == [4_000, 12_000]


def test_it_comes_back_from_its_file(tmp_path: Path) -> None:
    SCRIPT.save(tmp_path / "s.json")
    assert Script.load(tmp_path / "s.json") == SCRIPT


@pytest.mark.parametrize(
    ("before", "after"),
    [('"version": 1', '"version": 2'), ('"kind": "title"', '"kind": "song"'), ("{", "[")],
)
def test_a_broken_file_is_refused_by_name(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "s.json"
    SCRIPT.save(path)
    path.write_text(path.read_text("utf-8").replace(before, after, 1), "utf-8")
    with pytest.raises(FormatError, match=r"s\.json"):
        Script.load(path)


def test_a_span_that_ends_before_it_starts_is_refused() -> None:
    with pytest.raises(ValueError, match="before it starts"):
        speech(3, 2)
