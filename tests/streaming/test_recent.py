"""Windows: exactly the media, words and pictures that a cursor may see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.recent import AHEAD, RecentMedia
from streaming.window import Window
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit


def recent(length: Ms) -> RecentMedia:
    kept = RecentMedia(window=8_000, context=120_000)
    for t in range(0, length, 100):
        if t % 1000 == 0:
            kept.add_frame(frame(t))
        kept.add_audio(chunk(t))
        kept.add_words((Word(Interval(t, t + 90), "w"),))
    return kept


def window_at(kept: RecentMedia, end: Ms) -> Window:
    return kept.window(
        Interval(max(0, end - 2_000), end),
        words_final_to=10**9,
        history=(),
        gap=Interval(0, end),
        speech=(),
        language="en",
    )


@given(st.integers(500, 30_000))
def test_a_window_never_holds_anything_later_than_its_cursor(end: Ms) -> None:
    window = window_at(recent(40_000), end)
    assert all(f.t <= end for f in window.frames)
    assert all(c.when.end <= end for c in window.audio)
    assert all(w.when.end <= end for w in window.words)
    assert window.words_final_to <= end


def test_a_full_window_holds_eight_frames_and_the_newest_is_at_the_cursor() -> None:
    window = window_at(recent(20_000), 12_000)
    assert [f.t for f in window.frames] == list(range(5_000, 13_000, 1_000))


def test_the_first_windows_hold_the_very_first_frame() -> None:
    assert [f.t for f in window_at(recent(5_000), 2_000).frames] == [0, 1_000, 2_000]
    assert len(window_at(recent(9_000), 8_000).frames) == 8


def test_after_an_epoch_nothing_from_before_it_is_shown() -> None:
    kept = recent(20_000)
    kept.start_over(10_000)
    window = window_at(kept, 12_000)
    assert [f.t for f in window.frames] == [10_000, 11_000, 12_000]
    assert window.when == Interval(10_000, 12_000)
    assert all(w.when.start >= 10_000 for w in window.words)


def test_an_epoch_that_lies_ahead_hides_nothing_yet() -> None:
    kept, whole = recent(20_000), recent(20_000)
    kept.start_over(13_000)
    for end in (12_000, 13_000):
        assert window_at(kept, end) == window_at(whole, end)
    assert window_at(kept, 13_100).when == Interval(13_000, 13_100)


def test_forgetting_keeps_what_the_next_window_needs() -> None:
    kept, whole = recent(30_000), recent(30_000)
    kept.forget(20_000)
    assert window_at(kept, 20_000) == window_at(whole, 20_000)


def test_media_far_ahead_of_the_cursor_is_bounded() -> None:
    kept = RecentMedia(window=8_000, context=120_000)
    for t in range(0, 4 * AHEAD, 1_000):
        kept.add_frame(frame(t))
        kept.add_audio(chunk(t, 1_000))
    held = kept.window(
        Interval(0, 4 * AHEAD),
        words_final_to=0,
        history=(),
        gap=Interval(0, 1),
        speech=(),
        language="en",
    )
    assert len(held.frames) <= 8
    assert len(window_at(kept, 60_000).frames) == 0
