"""Only news is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from strad.cues import Cue
from strad.timeline import Interval
from streaming.describers.facts.told import REMEMBERED, TRIES, Told
from tests.streaming.describers.facts.scenes import claim, looks, seen, text_claim

pytestmark = pytest.mark.unit

FORMS = ("A cat.", "A cat is in view.")
SAID = (Cue(Interval(0, 1000), FORMS[0]),)


def _told() -> Told:
    told = Told()
    told.tell([claim("cat")], FORMS, 2000)
    return told


def test_what_was_said_is_no_news() -> None:
    assert _told().news([claim("cat")], SAID, 4000) == []


def test_unchanged_facts_stay_known_when_the_history_has_forgotten_them() -> None:
    assert _told().news([claim("cat")], (), 200_000) == []


def test_what_found_no_place_is_offered_again_but_not_for_ever() -> None:
    told = _told()
    offered = 1
    while told.news([claim("cat")], (), 4000):
        told.tell([claim("cat")], FORMS, 4000)
        offered += 1
    assert offered == TRIES


def test_more_of_it_is_news_and_fewer_are_not() -> None:
    told = Told()
    told.tell([claim("person", count=2)], ("Two people.",), 2000)
    said = (Cue(Interval(0, 1000), "Two people."),)
    assert told.news([claim("person", count=3)], said, 4000) != []
    assert told.news([claim("person", count=1)], said, 4000) == []


def test_what_went_and_came_back_is_news_once_it_was_forgotten() -> None:
    told = _told()
    for look in looks([], [], [], [seen("cat")]):
        told.watch(look)
    assert told.news([claim("cat")], SAID, 20_000) == []
    (back,) = told.news([claim("cat")], (), 140_000)
    assert back.aspect == ""


def test_where_it_is_in_another_shot_is_news_after_a_while() -> None:
    told = _told()
    left = replace(claim("cat", at=15_000), shot=15_000, place="on the left")
    assert told.news([replace(left, shot=0)], SAID, 20_000) == []
    assert told.news([left], SAID, 8_000) == []
    (again,) = told.news([left], SAID, 20_000)
    assert again.aspect == "on the left"
    forms = ("A cat is in view on the left.",)
    told.tell([again], forms, 20_000)
    said = (*SAID, Cue(Interval(0, 1), forms[0]))
    later = replace(claim("cat", at=40_000), shot=40_000, place="on the left")
    assert told.news([later], said, 45_000) == []
    (moved,) = told.news([replace(later, place="on the right")], said, 45_000)
    assert moved.aspect == "on the right"


def test_the_same_in_another_shot_is_no_news() -> None:
    later = replace(claim("cat", at=15_000), shot=15_000)
    assert _told().news([later], SAID, 20_000) == []


def test_a_line_misread_by_a_letter_is_not_read_twice() -> None:
    told = Told()
    told.tell([text_claim("THE PEACH OPEN MOVIE")], ("Text: THE PEACH OPEN MOVIE.",), 2000)
    said = (Cue(Interval(0, 1000), "Text: THE PEACH OPEN MOVIE."),)
    assert told.news([text_claim("THE PEACH OPEN MOVLE")], said, 4000) == []
    assert told.news([text_claim("Chapter 2")], said, 4000) != []


def test_memory_is_bounded() -> None:
    told = Told()
    for number in range(REMEMBERED + 50):
        told.tell([text_claim(f"Line {number}")], ("x",), number)
    assert told.news([text_claim("Line 3")], (), 300_000) != []
    assert told.news([text_claim(f"Line {REMEMBERED}")], (), 300_000) == []
