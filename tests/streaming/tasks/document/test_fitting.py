"""A description is as long as its slot allows, and lies inside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import Interval
from streaming.tasks.document.fitting import longest_that_fits, said_when

pytestmark = pytest.mark.unit


@given(st.lists(st.integers(0, 9_000), max_size=4), st.integers(0, 9_000))
def test_the_longest_form_that_fits_is_taken(lengths: list[int], room: int) -> None:
    best = longest_that_fits(lengths, room)
    fitting = [length for length in lengths if 0 < length <= room]
    assert (None if best is None else lengths[best]) == max(fitting, default=None)


@given(st.integers(0, 9_000), st.integers(1, 9_000), st.integers(0, 9_000), st.integers(0, 20_000))
def test_it_lies_in_its_slot_near_what_it_is_about(
    start: int, room: int, length: int, about: int
) -> None:
    slot = Interval(start, start + room)
    if length > room:
        with pytest.raises(ValueError, match="don't fit"):
            said_when(slot, length, about)
        return
    when = said_when(slot, length, about)
    assert slot.start <= when.start <= when.end <= slot.end
    assert when.duration == length
    assert when.start == about or when.start == slot.start or when.end == slot.end
