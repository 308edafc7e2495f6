"""The scripted describer says each line of its script once, when it is over."""

from __future__ import annotations

import pytest

from strad.cues import Cue
from strad.decision import Describe
from strad.timeline import Interval
from streaming.config import Pace, Placement, StreamConfig
from streaming.describers.scripted import ScriptedDescriber
from streaming.replay import replay
from streaming.session import Session
from streaming.voices.estimate import EstimateVoice
from tests.fakes import Notebook, PacedMedia, Programme
from tests.virtual_time import run

pytestmark = pytest.mark.unit

SCRIPT = [
    Cue(Interval(500, 1_500), "A door opens."),
    Cue(Interval(3_000, 5_500), "A woman walks in."),
    Cue(Interval(5_600, 5_900), "She sits down."),
    Cue(Interval(90_000, 91_000), "Never reached."),
]


def test_every_line_is_described_once_in_order_at_its_own_time() -> None:
    config = StreamConfig(pace=Pace.EVERY_WINDOW, placement=Placement.OFF)
    session = Session(config, describer="scripted", draft=False)
    notebook = Notebook()
    media = PacedMedia(Programme(12_000)).__aiter__()
    describer = ScriptedDescriber(reversed(SCRIPT))
    run(replay(media, session, None, describer, EstimateVoice(), notebook))
    told = [(e.cue.when, e.cue.text) for e in notebook.entries if hasattr(e, "cue")]
    assert told == [(c.when, c.text) for c in SCRIPT[:3]]


def test_a_line_older_than_the_window_is_let_go() -> None:
    config = StreamConfig(pace=Pace.EVERY_WINDOW)
    session = Session(config, describer="scripted", draft=False)
    asked = []

    class Watch(ScriptedDescriber):
        async def decide(self, window: object) -> object:  # type: ignore[override]
            decision = await super().decide(window)  # type: ignore[arg-type]
            asked.append(decision)
            return decision

    media = PacedMedia(Programme(20_000, [(0, 15_000)])).__aiter__()
    run(replay(media, session, None, Watch(SCRIPT), EstimateVoice(), Notebook()))  # type: ignore[arg-type]
    assert asked
    assert not any(isinstance(decision, Describe) for decision in asked)
