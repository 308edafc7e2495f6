"""Chunks: an event belongs to the one it starts in, and speech is seen past a chunk's end."""

from __future__ import annotations

import pytest

from strad.errors import InputError
from strad_eval.chunks import units_of
from strad_eval.material import Programme
from strad_eval.readings import STRAD, readings
from strad_eval.unit import Event

pytestmark = pytest.mark.eval


def _programme(duration: float = 4000.0) -> Programme:
    said = (
        Event(10.0, 12.0, "He nods."),
        Event(1799.0, 1803.0, "She leaves."),
        Event(1800.0, 1802.0, "They sit."),
    )
    lines = (((20.0, 25.0), "Hello there."), ((1810.0, 1812.0), "Good bye."))
    return Programme("v", duration, None, said, said[:1], True, lines)


def test_an_event_belongs_to_the_chunk_in_which_it_starts_and_keeps_its_length() -> None:
    units = units_of([_programme()], STRAD)
    assert [unit.span for unit in units] == [(0.0, 1800.0), (1800.0, 3600.0), (3600.0, 4000.0)]
    assert [[e.start for e in unit.references] for unit in units] == [[10.0, 1799.0], [1800.0], []]
    assert units[0].references[1].end == 1803.0


def test_the_whole_video_is_one_unit_where_asked() -> None:
    units = units_of([_programme()], readings("strad", ("chunk_s=0",)))
    assert [(unit.span, len(unit.references)) for unit in units] == [((0.0, 4000.0), 3)]


def test_a_chunk_knows_the_first_speech_after_it() -> None:
    first, second, third = units_of([_programme()], STRAD)
    assert first.speech == ((20.0, 25.0), (1810.0, 1812.0))
    assert second.speech == ((1810.0, 1812.0),)
    assert third.speech == ()
    assert (first.words, second.words) == ("hello there", "good bye")


def test_events_past_the_duration_are_not_lost() -> None:
    units = units_of([_programme(duration=60.0)], STRAD)
    assert sum(len(unit.references) for unit in units) == 3


def test_tokens_are_made_as_the_reading_says() -> None:
    programme = Programme("v", 60.0, None, (Event(0.0, 1.0, "Café, (oui)"),), (), True)
    assert units_of([programme], STRAD)[0].references[0].tokens == "café -lrb- oui -rrb-"
    space = readings("strad", ("non_ascii=space",))
    assert units_of([programme], space)[0].references[0].tokens == "caf -lrb- oui -rrb-"


def test_a_duration_that_cannot_be_meant_is_refused() -> None:
    with pytest.raises(InputError, match="is its duration right"):
        units_of([_programme(duration=1e9)], STRAD)
