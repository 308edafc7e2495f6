"""Engines of known latency on virtual time: load, lag, skipped and late as computed by hand.

Ten minutes each; ``test_latency_hours`` does the same for an hour.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from strad.cues import AdEvent
from strad_engines.breaker import Breaker
from strad_engines.engine_errors import EngineBusyError
from strad_engines.messages import Message
from strad_engines.scripted_engine import ScriptedEngine
from streaming.announcement import DescriberState, DropReason
from streaming.config import StreamConfig
from streaming.describers.strad_ft.asking import Asking
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.driver import drive
from streaming.prompt.profiles import profile
from streaming.session import Session
from streaming.voices.estimate import EstimateVoice
from tests.fakes import Notebook, PacedMedia, Programme
from tests.streaming.slow_engine import MINUTE, Talker, played
from tests.virtual_time import run

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("takes", "windows", "skipped"), [(0.3, 300, 0), (2.5, 240, 0), (6.0, 100, 200)]
)
def test_ten_minutes_are_as_computed_by_hand(takes: float, windows: int, skipped: int) -> None:
    found = played(takes, 10)
    assert found.stats.windows == pytest.approx(windows, abs=2)
    assert found.stats.skipped == pytest.approx(skipped, abs=4)
    assert found.load == pytest.approx(takes / 2, rel=0.01)
    lags = [event.lag_emit / 1000 for event in found.events[1:-2]]
    assert (min(lags), max(lags)) == (pytest.approx(2 + takes, abs=0.11),) * 2
    assert found.late == 0


def test_with_two_in_flight_the_slow_engine_sees_every_window() -> None:
    found = played(2.5, 10, in_flight=2)
    assert found.stats.windows == pytest.approx(300, abs=2)
    assert found.stats.skipped == 0
    assert found.late < 0.01


def test_left_to_itself_the_stream_finds_that_two_in_flight_help() -> None:
    found = played(2.5, 10, in_flight=None)
    assert found.stats.windows == pytest.approx(300, abs=5)


def test_with_too_short_a_delay_every_answer_is_too_late() -> None:
    """Asked at c, in at c + 6 s: with 2 s of delay it could start at c + 5.5 s.

    That is 7.5 s after what it describes, and 6 s are allowed.
    """
    found = played(6.0, 10, delay=2_000)
    assert found.events == []
    # The last two wait for a gap of their own when the media ends.
    assert found.stats.drops[DropReason.TOO_LATE] == found.stats.windows - 2


def test_an_engine_that_goes_and_comes_back_leaves_a_hole_and_says_nothing_twice() -> None:
    """Gone from minute 10 to minute 12; the breaker then tries it by itself, at most 30 s apart."""
    talker, clock = Talker(), [0.0]

    def answer(messages: Sequence[Message]) -> str | EngineBusyError:
        gone = 600 <= clock[0] < 720
        return EngineBusyError("can't be reached") if gone else talker(messages)

    class Watched(Notebook):
        async def __call__(self, announcement: object) -> None:
            clock[0] = session.clock.live_edge / 1000
            await super().__call__(announcement)  # type: ignore[arg-type]

    config, notebook = StreamConfig(), Watched()
    engine = Breaker(ScriptedEngine(answer, takes_s=0.3))
    asking = Asking(deadline_s=15.5)
    describer = StradFtDescriber(engine, profile("qwen35-images"), model="m", asking=asking)
    session = Session(config, describer=describer.name, draft=True)
    media = PacedMedia(Programme(20 * MINUTE)).__aiter__()
    run(drive(media, session, None, describer, EstimateVoice(), notebook))
    down, up = [s for s in notebook.all(DescriberState) if isinstance(s, DescriberState)]
    assert not down.up
    assert down.at == pytest.approx(606_000, abs=2_000)
    assert "can't be reached" in down.why
    assert up.up
    assert 720_000 <= up.at <= 720_000 + 34_000
    assert up.hole.start == pytest.approx(600_000, abs=2_000)
    assert up.hole.end == up.at - config.window
    texts = [e.cue.text for e in notebook.all(AdEvent) if isinstance(e, AdEvent)]
    assert len(texts) == len(set(texts))
    assert engine.health.state == "up"
