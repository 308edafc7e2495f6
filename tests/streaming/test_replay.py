"""Replay: every window in order, or paced as a live stream would be."""

from __future__ import annotations

import pytest

from strad.cues import AdEvent
from strad.timeline import Ms
from streaming.announcement import WindowAsked
from streaming.config import Pace, StreamConfig
from streaming.replay import replay, replay_paced
from streaming.session import Session
from streaming.stats import SessionStats
from streaming.voices.estimate import EstimateVoice
from streaming.window import Window
from tests.fakes import EveryWindowDescriber, Notebook, PacedMedia, Programme, stream
from tests.virtual_time import run

pytestmark = pytest.mark.unit


def paced(
    latency: Ms, notebook: Notebook, *, in_flight: int = 1, minutes: int = 10
) -> SessionStats:
    config = StreamConfig(pace=Pace.NEWEST, in_flight=in_flight)
    session = Session(config, describer="fake", draft=False)
    facts = stream(Programme(minutes * 60_000, hearing_lag=300).facts())

    def took(window: Window) -> Ms:
        del window
        return latency

    describer = EveryWindowDescriber()
    return run(replay_paced(facts, session, describer, EstimateVoice(), notebook, took))


def test_replay_refuses_a_session_that_skips() -> None:
    session = Session(StreamConfig(pace=Pace.NEWEST), describer="fake", draft=False)
    media = PacedMedia(Programme(1_000)).__aiter__()
    with pytest.raises(ValueError, match="every window"):
        run(replay(media, session, None, EveryWindowDescriber(), EstimateVoice(), Notebook()))


def test_paced_by_a_latency_below_the_stride_no_window_is_skipped() -> None:
    notebook = Notebook()
    stats = paced(1_000, notebook)
    assert stats.skipped == 0
    assert stats.windows == 300
    asked = [a for a in notebook.all(WindowAsked) if isinstance(a, WindowAsked)]
    assert {a.wall for a in asked} == {1.0}


def test_paced_by_a_latency_of_three_strides_two_of_three_windows_are_skipped() -> None:
    """Each answer takes 6 s = 3 strides, so of every 3 windows one is asked."""
    stats = paced(6_000, Notebook())
    assert stats.windows == pytest.approx(100, abs=2)
    assert stats.skipped == pytest.approx(200, abs=3)


def test_paced_with_two_in_flight_a_latency_above_the_stride_keeps_up() -> None:
    notebook = Notebook()
    stats = paced(2_500, notebook, in_flight=2)
    assert stats.skipped == 0
    events = [e for e in notebook.all(AdEvent) if isinstance(e, AdEvent)]
    assert len(events) > 250
    assert sum(e.late for e in events) == 0
    # Hearing lags by 0.3 s, the answer by 2.5 s, and the cue starts 2 s before its window's end.
    assert max(e.lag_emit for e in events) <= 300 + 2_500 + 2_000 + 200
