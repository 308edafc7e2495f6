"""The script: nothing before its start, nothing over speech, and what lost its time is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.terminal.manner import FASTEST, SLOWEST, Manner
from clients.terminal.playhead import STALLED, Playhead
from clients.terminal.script import GUARD, HURRY, MOST, Say, Script, Wait
from strad.wire.viewing import Gap, SpokenWord, Words
from tests.service.ads import ad

pytestmark = pytest.mark.unit

PLAIN = Manner()
FAR = 1_000.0


def script(*ads: object, gaps: tuple[Gap, ...] = ()) -> Script:
    made = Script()
    for each in ads:
        made.add(each)  # type: ignore[arg-type]
    for gap in gaps:
        made.add_gap(gap)
    return made


def test_it_waits_for_the_start_and_says_by_start() -> None:
    made = script(ad(3, 20, 23, "Second."), ad(2, 10, 13, "First."))
    assert made.cue(4.0, FAR, PLAIN) == Wait(6.0)
    first = made.cue(10.0, FAR, PLAIN)
    assert isinstance(first, Say)
    assert (first.text, first.until, first.manner) == ("First.", 13.0, PLAIN)
    assert made.cue(11.0, FAR, PLAIN) == Wait(9.0)
    assert not made.empty


def test_what_is_too_long_is_said_shorter_then_hurried_then_dropped() -> None:
    long, short = "one two three four five six seven eight nine ten", "one two three four"
    for at, text, rate in (
        (10.0, long, 180),
        (11.0, short, 180),
        (12.0, short, round(180 * HURRY)),
    ):
        made = script(ad(2, 10, 13.4 if at == 10.0 else 13.0, long, short))
        cue = made.cue(at, FAR, PLAIN)
        assert isinstance(cue, Say)
        assert (cue.text, cue.manner.rate) == (text, rate)
    made = script(ad(2, 10, 13, long, short), ad(3, 10.5, 13, long, short))
    made.missed_from = 2
    assert made.cue(12.9, FAR, PLAIN) == Wait(None)
    assert (made.take_dropped(), made.take_dropped()) == (1, 0)


def test_a_gap_gives_more_room_as_far_as_it_is_known() -> None:
    one = ad(2, 10, 12, "One.")
    assert script(one).room(one, FAR) == 12.0
    assert script(one, gaps=(Gap(start=9.0, end=20.0),)).room(one, FAR) == 20.0 - GUARD
    assert script(one, gaps=(Gap(start=9.0),)).room(one, 15.0) == 15.0 - GUARD
    assert script(one, gaps=(Gap(start=9.0), Gap(start=9.0, end=11.0))).room(one, FAR) == 12.0


def test_what_is_withdrawn_is_not_said_and_no_more_waits_than_may() -> None:
    made = script(ad(2, 10, 13), ad(3, 14, 16))
    made.withdraw("ad-2")
    assert made.cue(10.0, FAR, PLAIN) == Wait(4.0)
    many = script(*(ad(n, n, n + 1) for n in range(1, MOST + 11)))
    assert many.take_dropped() == 10


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 60), st.integers(1, 14)), max_size=12),
    st.lists(st.integers(0, 40), min_size=1, max_size=60),
    st.integers(SLOWEST, FASTEST),
)
def test_whenever_it_is_asked_nothing_is_early_or_over_speech(
    spans: list[tuple[int, int, int]], steps: list[int], rate: int
) -> None:
    ads = [
        ad(n, start / 10, (start + length) / 10, "word " * words, "word")
        for n, (start, length, words) in enumerate(spans, 1)
    ]
    made, at, said = script(*ads), 0.0, 0
    for step in steps:
        at += step / 10
        while isinstance(cue := made.cue(at, FAR, Manner(rate=rate)), Say):
            assert cue.ad.start <= at
            assert at + cue.manner.seconds(cue.text) <= cue.until == cue.ad.end
            said += 1
    left = 0
    while isinstance(made.cue(FAR, FAR, PLAIN), Say):
        left += 1
    assert said + left + made.take_dropped() == len(ads)


def test_the_playhead_is_the_delay_behind_what_is_known_of_the_live_edge() -> None:
    head = Playhead()
    assert head.at(0.0) is None
    head.told(12.0)
    head.hear(ad(2, 16, 18, edge=21), 100.0)
    assert (head.edge(100.0), head.at(101.0)) == (21.0, 10.0)
    head.hear(Words(words=(SpokenWord(start=1, end=2, text="a"),), until=2.0), 101.0)
    head.hear(Gap(start=20.0), 101.0)
    head.hear(Gap(start=20.0, end=22.0 - STALLED), 101.0)
    assert head.edge(101.0) == 22.0
    head.hear(Gap(start=20.0, end=24.0), 102.0)
    assert head.edge(102.0) == 24.0
    head.hear(Gap(start=25.0, end=26.0), 110.0)  # the media stood still meanwhile
    assert head.edge(110.0) == 26.0
    own = Playhead(2.0)
    own.told(12.0)
    own.hear(ad(2, 16, 18, edge=21), 0.0)
    assert own.at(0.0) == 19.0


def test_a_manner_stays_within_what_programs_take() -> None:
    assert Manner(rate=440).faster(2).rate == FASTEST
    assert Manner(rate=90).faster(-2).rate == SLOWEST
    assert Manner(volume=95).louder().volume == 100
    assert Manner(volume=5).louder(-1).volume == 0
    assert Manner(rate=120).seconds("one two three four") == 2.0
