"""HLS of live AD: what is listed never changes, and everything said is in it at its time."""

from __future__ import annotations

import m3u8
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.hls import (
    LEAD,
    WINDOW,
    Cut,
    Material,
    TakenBack,
    cues_in,
    listed,
    settled,
    write_playlist,
    write_segment,
)
from strad.cues import Cue
from strad.timeline import Interval, Ms, from_seconds
from strad.webvtt import MPEGTS_WRAP, read_webvtt
from strad.wire.viewing import Ad
from tests.service.ads import ad

pytestmark = pytest.mark.unit

CUT = Cut(length=6_000)
DELAY = 12_000


def material(
    *ads: Ad, edge: Ms, ended: bool = False, delay: Ms = DELAY, lost_to: Ms = 0
) -> Material:
    return Material(ads, (), edge, delay, ended, lost_to)


def playlist(known: Material, cut: Cut = CUT, *, event: bool = False) -> m3u8.M3U8:
    text = write_playlist(known, cut, "log=abc", event=event)
    assert text is not None
    return m3u8.loads(text)


def test_a_segment_is_listed_once_nothing_can_be_placed_in_it() -> None:
    just_before = 6_000 + DELAY - LEAD - 1
    assert list(listed(material(edge=just_before), CUT)) == []
    assert list(listed(material(edge=just_before + 1), CUT)) == [0]
    assert list(listed(material(edge=6_000, delay=0), CUT)) == [0]


def test_before_the_first_segment_there_is_no_playlist() -> None:
    assert write_playlist(material(edge=10_000), CUT, "", event=False) is None


def test_a_provisional_ad_holds_its_segment_back_until_it_is_over() -> None:
    provisional = ad(1, 5, 8, provisional=True)
    held = material(provisional, edge=19_000)
    assert list(listed(held, CUT)) == []
    assert list(listed(material(ad(1, 5, 8), edge=19_000), CUT)) == [0]
    assert list(listed(material(provisional, edge=20_000), CUT)) == [0]


def test_a_live_playlist_slides_and_an_event_playlist_keeps_all() -> None:
    known = material(edge=2 * WINDOW)
    live, event = playlist(known), playlist(known, event=True)
    assert (live.target_duration, live.media_sequence) == (6, len(listed(known, CUT)) - 100)
    assert [segment.duration for segment in live.segments] == [6.0] * 100
    assert live.segments[0].uri == f"descriptions/{live.media_sequence}.vtt?log=abc"
    assert (event.media_sequence, event.playlist_type) == (0, "event")
    assert len(event.segments) == len(listed(known, CUT))
    assert not live.is_endlist
    assert not event.is_endlist


def test_the_end_is_listed_to_its_last_moment() -> None:
    over = playlist(material(ad(1, 13, 15.5), edge=14_000, ended=True), event=True)
    assert [segment.duration for segment in over.segments] == [6.0, 6.0, 3.5]
    assert over.is_endlist


def test_what_the_log_has_let_go_is_not_listed() -> None:
    known = material(edge=100_000, lost_to=13_000)
    assert listed(known, CUT).start == 3
    assert playlist(known, event=True).media_sequence == 3


def test_a_cue_is_in_every_segment_it_reaches_into() -> None:
    known = material(ad(1, 4, 13), ad(2, 6, 6), edge=100_000)
    texts = [[cue.when for cue in cues_in(known, CUT, n)] for n in range(4)]
    long, point = Interval(4_000, 13_000), Interval(6_000, 6_000)
    assert texts == [[long], [long, point], [long], []]


def test_a_firm_ad_that_is_withdrawn_stays_where_it_was_listed() -> None:
    taken = TakenBack(ad(1, 4, 8), edge=6_000 + DELAY - LEAD)
    known = Material((), (taken,), 100_000, DELAY, ended=False)
    assert [len(cues_in(known, CUT, n)) for n in range(3)] == [1, 0, 0]


def test_a_segment_maps_its_own_start_to_the_video_s_clock() -> None:
    cut = Cut(length=4_000, mpegts=126_000)
    text = write_segment([Cue(Interval(9_000, 11_000), "A <b>&c")], cut, 2, language="en")
    assert text.splitlines()[:2] == [
        "WEBVTT",
        f"X-TIMESTAMP-MAP=LOCAL:00:00:08.000,MPEGTS:{126_000 + 8 * 90_000}",
    ]
    assert read_webvtt(text) == [Cue(Interval(9_000, 11_000), "A <b>&c")]


def test_the_map_survives_the_wrap_of_the_video_s_clock() -> None:
    number = MPEGTS_WRAP // 90 // 6_000 + 1
    text = write_segment([], CUT, number, language="en")
    assert f"MPEGTS:{number * 6_000 * 90 - MPEGTS_WRAP}\n" in text


def test_every_segment_of_a_draft_says_that_it_is_one() -> None:
    assert "NOTE a draft" in write_segment([], CUT, 0, language="en", notes=["a draft"])


@st.composite
def streams(draw: st.DrawFn) -> tuple[Ms, list[Material]]:
    """A stream as it goes on, by the rules of placement: its delay, and what is known at times."""
    delay = draw(st.sampled_from([0, 2_000, 12_000]))
    standing: dict[int, Ad] = {}
    taken_back: list[TakenBack] = []
    edge, known = 0, []
    for seq in range(1, draw(st.integers(5, 40))):
        edge += draw(st.integers(100, 4_000))
        for number, told in list(standing.items()):
            over = from_seconds(told.end) <= edge - delay
            if not over and draw(st.integers(0, 9)) == 0:
                del standing[number]
                if not told.provisional:
                    taken_back.append(TakenBack(told, edge))
        if draw(st.booleans()):
            start = settled(edge, delay) + draw(st.integers(0, 8_000))
            length = draw(st.integers(0, 9_000))
            provisional = draw(st.booleans())
            standing[seq] = ad(
                seq,
                start / 1000,
                (start + length) / 1000,
                f"text {seq}",
                edge=edge / 1000,
                provisional=provisional,
            )
        ads = sorted(standing.values(), key=lambda a: a.start)
        known.append(Material(ads, tuple(taken_back), edge, delay, ended=False))
    last = known[-1]
    known.append(Material(last.standing, last.taken_back, edge, delay, ended=True))
    return delay, known


@given(streams(), st.sampled_from([1_000, 2_000, 6_000]))
def test_what_is_listed_never_changes(stream: tuple[Ms, list[Material]], length: Ms) -> None:
    _, states = stream
    cut = Cut(length)
    seen: dict[int, list[Cue]] = {}
    stop = 0
    for known in states:
        numbers = listed(known, cut)
        assert numbers.stop >= stop
        stop = numbers.stop
        for number in numbers:
            cues = cues_in(known, cut, number)
            assert seen.setdefault(number, cues) == cues
    for told in states[-1].standing:
        at = [number for number, cues in seen.items() if told.cue() in cues]
        assert at == list(range(at[0], at[-1] + 1))
        assert cut.when(at[0]).start <= from_seconds(told.start) < cut.when(at[0]).end


@given(streams())
def test_playlists_go_on_as_the_spec_asks(stream: tuple[Ms, list[Material]]) -> None:
    before: m3u8.M3U8 | None = None
    for known in stream[1]:
        text = write_playlist(known, Cut(2_000), "q", event=True)
        if text is None:
            assert before is None
            continue
        now = m3u8.loads(text)
        assert all(segment.duration <= now.target_duration for segment in now.segments)
        if before is not None:
            earlier = [segment.uri for segment in before.segments]
            assert [segment.uri for segment in now.segments][: len(earlier)] == earlier
        before = now
    assert before is None or before.is_endlist
