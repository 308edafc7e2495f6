"""A stream's live quality: overlap known afterwards, shares, and the newest happenings."""

from __future__ import annotations

import pytest

from service.operations.live_quality import NEWEST, GapSeen, LiveQuality
from service.operations.metrics import Metrics
from strad.cues import AdEvent, Cue
from strad.decision import Kind, Wait, WaitReason
from strad.speech import GapSource, Word
from strad.timeline import Interval, Ms
from strad.wire.viewing import Gap
from streaming.announcement import (
    DescriberState,
    Dropped,
    DropReason,
    Progress,
    WindowAsked,
    Withdrawn,
    WithdrawReason,
)
from streaming.config import StreamConfig
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.media import MediaNotice
from tests.fakes import describe

pytestmark = pytest.mark.unit


def quality(gaps: GapSource = GapSource.VAD, in_flight: int = 1) -> LiveQuality:
    return LiveQuality(StreamConfig(gaps=gaps, in_flight=in_flight), "facts", Metrics())


def ad(number: int, start: Ms, end: Ms, *, late: bool = False) -> AdEvent:
    return AdEvent(
        id=f"ad-{number}",
        seq=number,
        cue=Cue(Interval(start, end), "A man runs."),
        kind=Kind.ACTION,
        forms=("A man runs.",),
        rate=1.0,
        provisional=True,
        window_end=end,
        lag_cursor=0,
        lag_emit=1_500,
        late=late,
        draft=False,
        describer="facts",
    )


def window(reason: WaitReason | None, wall: float = 0.5) -> WindowAsked:
    decision = Wait(reason) if reason else describe("A man runs.", 0, 1_000)
    return WindowAsked(2_000, 2_000, wall, decision, 4_000, (("decide", wall), ("retries", 0.25)))


def value(of: LiveQuality, name: str, **labels: str) -> float | None:
    return of._metrics.registry.get_sample_value(f"strad_{name}", labels)


def test_speech_that_is_known_later_makes_overlap_withdrawn_or_not() -> None:
    told = quality()
    told.take(ad(1, 1_000, 3_000))
    told.take(ad(2, 5_000, 6_000))
    told.hear(SpeechKnown(2_000, (Interval(1_500, 2_000),)))
    assert told.ads[0].overlap is None, "it isn't over yet"
    told.hear(SpeechKnown(4_000, (Interval(2_000, 2_250),)))
    assert told.ads[0].overlap == 0.75
    told.take(Withdrawn("ad-2", 5_500, WithdrawReason.SPEECH))
    told.hear(SpeechKnown(7_000, (Interval(5_500, 7_000),)))
    assert (told.ads[1].overlap, told.ads[1].withdrawn) == (0.5, "speech")
    assert told.totals["overlap"] == 1_250
    assert value(told, "ad_overlap_seconds_total", withdrawn="no") == 0.75
    assert value(told, "ad_overlap_seconds_total", withdrawn="yes") == 0.5
    assert value(told, "ad_withdrawn_total", reason="speech") == 1


def test_words_are_waited_for_where_they_count_but_not_for_ever() -> None:
    told = quality(GapSource.UNION)
    told.take(ad(1, 1_000, 3_000))
    told.hear(SpeechKnown(5_000))
    assert told.ads[0].overlap is None
    told.hear(WordsKnown(5_000, (Word(Interval(2_000, 2_400), "yes"),)))
    assert told.ads[0].overlap == 0.4
    told.take(ad(2, 6_000, 7_000))
    told.hear(SpeechKnown(36_000))
    assert told.ads[1].overlap is None
    told.hear(SpeechKnown(37_500))
    assert told.ads[1].overlap == 0.0


def test_windows_drops_and_outages_are_counted_by_reason() -> None:
    told = quality()
    told.take(window(None))
    told.take(window(WaitReason.UNSURE, wall=3.0))
    told.take(Dropped(9_000, DropReason.TOO_LONG, describe("A man runs.", 0, 1_000)))
    told.take(DescriberState(up=False, at=2_000, why="gone", hole=Interval(0, 2_000)))
    told.take(MediaNotice("corrupt-packets", 0, "some", 7))
    assert [seen.reason for seen in told.windows] == ["described", "unsure"]
    assert (told.drops[0].at, told.drops[0].reason) == (9.0, "too-long")
    assert not told.up
    facts = {"describer": "facts"}
    assert value(told, "windows_total", **facts, decision="wait", reason="unsure") == 1
    assert value(told, "windows_total", **facts, decision="ad", reason="described") == 1
    assert value(told, "decide_seconds_sum", **facts) == 3.5
    assert value(told, "decide_load_ratio_sum", **facts) == 1.75
    assert value(told, "engine_retry_seconds_total", **facts) == 0.5
    assert value(told, "ad_dropped_total", reason="too-long") == 1
    assert value(told, "describer_outages_total", **facts) == 1
    assert value(told, "media_notices_total", code="corrupt-packets") == 7
    told.take(DescriberState(up=True, at=4_000, why="", hole=Interval(0, 2_000)))
    assert told.up
    assert value(told, "describer_outages_total", **facts) == 1


def test_media_and_skipped_windows_count_from_where_this_process_began() -> None:
    told = quality(in_flight=4)
    told.take(Progress(100_000, 99_000, None, None, skipped=7))
    assert told.strain is None
    told.take(Progress(130_000, 99_000, None, load=2.0, skipped=9))
    assert (told.seconds, told.strain) == (30.0, 0.5)
    assert value(told, "media_seconds_total") == 30
    assert value(told, "windows_skipped_total") == 2


def test_late_ones_and_words_are_counted() -> None:
    told = quality()
    told.take(ad(1, 0, 1_000, late=True))
    told.take(ad(2, 1_000, 3_000))
    assert (told.totals["events"], told.totals["late"], told.totals["words"]) == (2, 1, 6)
    assert value(told, "ad_events_total", kind="action") == 2
    assert value(told, "ad_late_total") == 1
    assert value(told, "ad_words_total") == 6
    assert value(told, "ad_spoken_seconds_total") == 3
    assert value(told, "lag_emit_seconds_sum") == 3


def test_a_gap_that_closes_takes_the_place_of_the_open_one() -> None:
    told = quality()
    told.notice(Gap(start=1.0, end=None))
    told.notice(Gap(start=1.0, end=3.0))
    told.notice(Gap(start=4.0, end=None))
    assert list(told.gaps) == [GapSeen(1.0, 3.0), GapSeen(4.0, None)]


def test_only_the_newest_are_remembered() -> None:
    told = quality()
    for number in range(3 * NEWEST):
        told.take(window(WaitReason.UNSURE))
        told.take(ad(number, number * 1_000, number * 1_000 + 500))
        told.notice(Gap(start=float(number), end=number + 0.5))
    assert {len(told.windows), len(told.ads), len(told.gaps)} == {NEWEST}
    assert told.ads[-1].id == f"ad-{3 * NEWEST - 1}"
