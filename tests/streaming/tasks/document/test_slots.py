"""Slots lie in gaps, off speech and sounds, and the busiest minute stays bearable."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.passes import Heard
from strad.timeline import Interval, to_seconds
from streaming.tasks.document.config import DocumentConfig
from streaming.tasks.document.slots import (
    MINUTE,
    NOTHING_NEW,
    TOO_MANY,
    Slot,
    matter,
    passed_over,
    slots,
)
from tests.streaming.tasks.document.people import gap, said, seen

pytestmark = pytest.mark.unit

CONFIG = DocumentConfig()


def test_a_slot_keeps_away_from_speech_and_not_from_the_ends() -> None:
    heard = [gap("g1", 0, 5), said("s1", 5, 8, "Hello."), gap("g2", 8, 12), gap("g3", 20, 21)]
    found = slots(heard, 12_000, CONFIG)
    assert found == [Slot("g1", Interval(0, 4_600)), Slot("g2", Interval(8_250, 12_000))]
    assert [slot.words for slot in found] == [11, 9]


def test_a_sound_that_a_person_protects_is_kept_free() -> None:
    song = Heard(id="x1", kind="protected", start=3, end=9, text="song")
    found = slots([gap("g1", 0, 20), song], 20_000, CONFIG)
    assert [(slot.id, slot.when) for slot in found] == [
        ("g1.1", Interval(0, 3_000)),
        ("g1.2", Interval(9_000, 14_250)),
        ("g1.3", Interval(14_500, 20_000)),
    ]


SPANS = st.lists(st.tuples(st.integers(0, 200_000), st.integers(0, 40_000)), max_size=6)


@given(SPANS, SPANS)
def test_slots_are_free_apart_and_neither_too_short_nor_too_long(
    gaps: list[tuple[int, int]], songs: list[tuple[int, int]]
) -> None:
    at, heard = 0, list[Heard]()
    for n, (wait, length) in enumerate(gaps):
        heard.append(gap(f"g{n}", to_seconds(at + wait), to_seconds(at + wait + length)))
        at += wait + length + 1
    for n, (start, length) in enumerate(songs):
        when = to_seconds(start), to_seconds(start + length)
        heard.append(Heard(id=f"x{n}", kind="protected", start=when[0], end=when[1]))
    found = slots(heard, 300_000, CONFIG)
    assert len({slot.id for slot in found}) == len(found)
    for slot in found:
        assert CONFIG.least_slot <= slot.when.duration <= CONFIG.longest_slot
        assert not any(h.kind == "protected" and h.when.overlaps(slot.when) for h in heard)
        assert any(h.kind == "gap" and h.when.intersect(slot.when) == slot.when for h in heard)
    for one, other in pairwise(found):
        assert one.when.end < other.when.start


@given(st.dictionaries(st.integers(0, 300_000), st.integers(0, 3), max_size=60))
def test_no_minute_is_overfull_and_what_matters_most_comes_first(wanted: dict[int, int]) -> None:
    found = [Slot(str(t), Interval(t, t + 1_500)) for t in sorted(wanted)]
    importance = {str(t): matters for t, matters in wanted.items()}
    silent = passed_over(found, importance, CONFIG)
    kept = [slot.when.start for slot in found if slot.id not in silent]
    for first in kept:
        assert sum(first <= t < first + MINUTE for t in kept) <= CONFIG.most_a_minute
    for slot in found:
        why = silent.get(slot.id)
        assert (why == NOTHING_NEW) == (importance[slot.id] == 0)
        if why == TOO_MANY:
            near = [t for t in kept if abs(t - slot.when.start) < MINUTE]
            better = [t for t in near if importance[str(t)] >= importance[slot.id]]
            assert len(better) >= CONFIG.most_a_minute


def test_what_is_told_was_seen_by_then_and_is_not_too_old() -> None:
    looked = [seen(f"v{n}", 4 * n, 4 * n + 4, "A door.") for n in range(20)]
    slot = Slot("g1", Interval(60_000, 66_000))
    about = matter(looked, slot, 40_000, CONFIG)
    assert [look.id for look in about] == ["v10", "v11", "v12", "v13", "v14", "v15"]
    assert next(look.id for look in matter(looked, slot, -1, CONFIG)) == "v7"
