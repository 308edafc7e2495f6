"""The report of a run, with figures worked out by hand."""

from __future__ import annotations

import pytest

from service.figures import Figures
from service.report import Report, mean, overlap, spread
from strad.decision import Wait, WaitReason
from strad.efficiency import Outcome
from strad.timeline import Interval
from streaming.announcement import WindowAsked, Withdrawn, WithdrawReason
from streaming.config import Pace, StreamConfig
from streaming.hearing import SpeechKnown
from streaming.replay import replay
from streaming.session import Session
from streaming.voices.estimate import EstimateVoice
from tests.fakes import EveryWindowDescriber, PacedMedia, Programme, describe
from tests.virtual_time import run

pytestmark = pytest.mark.service

SAID = WindowAsked(4_000, 2_500, 1.0, describe("A door opens.", 2_000, 4_500), 6_000)
WAITED = WindowAsked(6_500, 2_000, 3.0, Wait(WaitReason.UNSURE), 8_000)
FAILED = WindowAsked(8_500, 2_000, 0.5, Wait(WaitReason.TIMED_OUT), 9_000)


def test_each_window_is_a_line_of_the_efficiency_log() -> None:
    report = Report(stride=2_000)
    for asked in (SAID, WAITED, FAILED):
        report.take(asked)
    lines = report.efficiency("film")
    assert [line.decision for line in lines] == [Outcome.AD, Outcome.WAIT, Outcome.FAILED]
    assert (lines[0].ad_start, lines[0].reason, lines[0].cursor) == (2.0, None, 4.0)
    assert (lines[1].ad_start, lines[1].reason, lines[1].wall) == (None, "unsure", 3.0)


def played(report: Report) -> Session:
    config = StreamConfig(pace=Pace.EVERY_WINDOW)
    session = Session(config, describer="fake", draft=True)

    async def take(announcement: object) -> None:
        report.take(announcement)  # type: ignore[arg-type]

    media = PacedMedia(Programme(20_000, [(4_000, 7_000)])).__aiter__()
    run(replay(media, session, None, EveryWindowDescriber(), EstimateVoice(), take))
    return session


def test_the_summary_of_a_whole_run() -> None:
    report = Report(stride=2_000)
    session = played(report)
    report.hear(SpeechKnown(20_000, (Interval(4_000, 7_000),)))
    figures = report.summary(session, wall=4.0)
    assert figures["media_seconds"] == 20.0
    assert figures["speed"] == 5.0
    assert figures["events"] == len(report.cues()) == session.stats().events
    assert figures["overlap_seconds"] == 0.0
    assert figures["words_per_minute"] == 150.0
    assert figures["load"] == {"p50": 0.0, "p95": 0.0, "max": 0.0}


def test_what_is_withdrawn_stands_no_more() -> None:
    report = Report(stride=2_000)
    session = played(report)
    first = report.cues()[0]
    report.take(Withdrawn("ad-1", first.when.start, WithdrawReason.SPEECH))
    assert first not in report.cues()
    assert report.summary(session, wall=0.0)["speed"] is None


def test_rtf_is_over_the_advance_of_ad_windows_and_load_over_the_stride_of_all() -> None:
    """rtf: 1.0 s / 2.5 s = 0.4. load: 1/2, 3/2, 0.5/2 of a stride: the middle is 0.5."""
    figures = Figures(stride=2_000)
    for asked in (SAID, WAITED, FAILED):
        figures.take(asked)
    assert figures.rtf == 0.4
    assert figures.load is not None
    assert (figures.load.p50, figures.load.max) == (0.5, 1.5)
    assert figures.lag_emit is None


def test_overlap_counts_the_time_two_cues_and_two_spans_share() -> None:
    cues = [Interval(0, 1_000), Interval(3_000, 6_000)]
    assert overlap(cues, [Interval(800, 3_500), Interval(5_900, 9_000)]) == 200 + 500 + 100


def test_no_values_give_no_figure() -> None:
    assert mean([]) is None
    assert spread([]) is None
    assert spread([3.0, 1.0, 2.0]) == {"p50": 2.0, "p95": 3.0, "max": 3.0}
