"""The driver on virtual time: slow models, stalled clients, broken parts, and clean ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from strad.cues import AdEvent
from strad.decision import Decision, Wait, WaitReason
from strad.errors import DecoderError, DescriberError
from strad.timeline import Interval
from strad_engines.engine_errors import EngineAnswerError, EngineBusyError, EngineRefusedError
from streaming.announcement import DescriberState, MediaNotice, Progress, WindowAsked
from streaming.config import Pace, StreamConfig
from streaming.describers.describer import Describer
from streaming.driver import STALL_LIMIT, drive
from streaming.ears import Ears
from streaming.hearing import Heard, SpeechKnown, WordsKnown
from streaming.media import AudioChunk, Media
from streaming.replies import ANSWER_LIMIT
from streaming.session import Session
from streaming.stats import SessionStats
from streaming.voices.estimate import EstimateVoice
from streaming.window import Window
from tests.fakes import (
    BrokenDescriber,
    EveryWindowDescriber,
    Notebook,
    OutageDescriber,
    PacedMedia,
    Programme,
    StalledClient,
    WaitingDescriber,
    chunk,
)
from tests.virtual_time import run

pytestmark = pytest.mark.unit

MINUTE = 60_000
LIVE = StreamConfig(pace=Pace.NEWEST)
EVERY = StreamConfig(pace=Pace.EVERY_WINDOW)


def session(config: StreamConfig = LIVE) -> Session:
    return Session(config, describer="fake", draft=False)


def played(
    programme: Programme,
    describer: Describer,
    notebook: Notebook,
    config: StreamConfig = LIVE,
) -> SessionStats:
    media = PacedMedia(programme).__aiter__()
    return run(drive(media, session(config), None, describer, EstimateVoice(), notebook))


def test_a_slow_model_is_always_asked_about_the_newest_media() -> None:
    describer, notebook = WaitingDescriber(5.0), Notebook()
    stats = played(Programme(5 * MINUTE), describer, notebook)
    ends = [w.when.end for w in describer.asked]
    assert ends == sorted(set(ends))
    assert len(ends) == pytest.approx(60, abs=3)
    assert stats.skipped == pytest.approx(59, abs=2)  # 2.5 strides an answer: one lost each
    asked = notebook.all(WindowAsked)
    assert all(0 <= a.emitted_at - a.cursor <= 5_200 for a in asked if isinstance(a, WindowAsked))


def test_a_fast_model_is_asked_every_stride_and_lag_stays_flat() -> None:
    notebook = Notebook()
    stats = played(Programme(10 * MINUTE, hearing_lag=300), EveryWindowDescriber(0.3), notebook)
    assert stats.skipped == 0
    lags = [e.lag_emit for e in notebook.all(AdEvent) if isinstance(e, AdEvent)]
    assert len(lags) > 250
    assert max(lags) - min(lags) <= 1_500
    assert max(lags) < LIVE.delay - LIVE.lead


@pytest.mark.slow
def test_an_hour_with_a_slow_model_and_two_questions_in_flight_is_rarely_late() -> None:
    notebook = Notebook()
    config = StreamConfig(pace=Pace.NEWEST, in_flight=2)
    stats = played(
        Programme(60 * MINUTE, hearing_lag=300), EveryWindowDescriber(2.5), notebook, config
    )
    assert stats.skipped == 0
    assert stats.events > 1_500
    assert not any(e.late for e in notebook.all(AdEvent) if isinstance(e, AdEvent))


def test_a_stalled_client_stops_the_reading() -> None:
    media = PacedMedia(Programme(60 * MINUTE))

    async def give_up_after_an_hour() -> None:
        client = StalledClient(room=3)
        async with asyncio.timeout(3_600):
            await drive(
                media.__aiter__(), session(), None, EveryWindowDescriber(), EstimateVoice(), client
            )

    with pytest.raises(TimeoutError):
        run(give_up_after_an_hour())
    assert media.read < 400


def test_a_broken_describer_is_a_wait_with_its_reason() -> None:
    stats = played(Programme(20_000), BrokenDescriber(), Notebook())
    assert stats.events == 0
    assert stats.waits == {WaitReason.DESCRIBER_FAILED: stats.windows}


def test_a_describer_that_never_answers_times_out() -> None:
    notebook = Notebook()
    describer = WaitingDescriber(10 * ANSWER_LIMIT)
    stats = played(Programme(20_000), describer, notebook)
    assert set(stats.waits) == {WaitReason.TIMED_OUT}
    assert all(
        a.wall <= ANSWER_LIMIT for a in notebook.all(WindowAsked) if isinstance(a, WindowAsked)
    )


def test_an_error_of_the_media_ends_the_stream_with_that_error() -> None:
    async def media() -> AsyncIterator[Media | Heard]:
        yield chunk(0)
        raise DecoderError("the decoder crashed")

    with pytest.raises(DecoderError, match="crashed"):
        run(drive(media(), session(), None, WaitingDescriber(), EstimateVoice(), Notebook()))


def test_media_that_stops_without_ending_is_an_error_in_the_end() -> None:
    async def media() -> AsyncIterator[Media | Heard]:
        yield chunk(0)
        await asyncio.sleep(10 * STALL_LIMIT)

    with pytest.raises(Exception, match="nothing has come"):
        run(drive(media(), session(), None, WaitingDescriber(), EstimateVoice(), Notebook()))


def test_notices_and_progress_are_passed_on() -> None:
    notice = MediaNotice("no-audio", 0, "There is no sound.")

    async def media() -> AsyncIterator[Media | Heard]:
        yield notice
        async for item in PacedMedia(Programme(20_000)):
            yield item

    notebook = Notebook()
    run(drive(media(), session(), None, EveryWindowDescriber(0.5), EstimateVoice(), notebook))
    assert notebook.entries[0] == notice
    progress = [p for p in notebook.all(Progress) if isinstance(p, Progress)]
    assert len(progress) == pytest.approx(10, abs=2)
    assert progress[-1].load == pytest.approx(0.25, abs=0.01)
    assert progress[-1].lag_emit is not None


def test_in_replay_every_window_is_asked_however_slow_the_model() -> None:
    describer = WaitingDescriber(7.0)
    config = StreamConfig(pace=Pace.EVERY_WINDOW)
    stats = played(Programme(30_000), describer, Notebook(), config)
    assert [w.when.end for w in describer.asked] == list(range(2_000, 30_001, 2_000))
    assert stats.skipped == 0
    assert stats.waits[Wait(WaitReason.NOTHING_NEW).reason] == 15


class SlowEars:
    """Decides each chunk only ``seconds`` after it came; one at a time, as a busy pool would."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._heard: asyncio.Queue[AudioChunk | None] = asyncio.Queue(50)
        self.closed = False

    async def hear(self, chunk: AudioChunk) -> None:
        await self._heard.put(chunk)

    async def finish(self) -> None:
        await self._heard.put(None)

    async def findings(self) -> AsyncIterator[Heard]:
        while (heard := await self._heard.get()) is not None:
            await asyncio.sleep(self._seconds)
            yield SpeechKnown(heard.when.end)
            yield WordsKnown(heard.when.end)

    async def aclose(self) -> None:
        self.closed = True


def silent_ears() -> Ears:
    return SlowEars(0.01)


def test_ears_are_fed_and_closed_and_their_last_finding_counts() -> None:
    async def media() -> AsyncIterator[Media | Heard]:
        async for item in PacedMedia(Programme(10_000)):
            if not isinstance(item, SpeechKnown | WordsKnown):
                yield item

    ears = SlowEars(0.05)
    describer = WaitingDescriber()
    run(drive(media(), session(), ears, describer, EstimateVoice(), Notebook()))
    assert [w.when.end for w in describer.asked] == [2_000, 4_000, 6_000, 8_000, 10_000]
    assert ears.closed


def test_replay_waits_for_slow_ears_instead_of_piling_up() -> None:
    read = 0

    async def media() -> AsyncIterator[Media | Heard]:
        nonlocal read
        for fact in Programme(2 * MINUTE).facts():
            if isinstance(fact, SpeechKnown | WordsKnown):
                continue
            if isinstance(fact, AudioChunk):
                read = fact.when.end
            yield fact

    class Watch(WaitingDescriber):
        ahead = 0

        async def decide(self, window: object) -> Wait:
            self.ahead = max(self.ahead, read - window.when.end)  # type: ignore[attr-defined]
            return Wait(WaitReason.NOTHING_NEW)

    describer = Watch()
    config = StreamConfig(pace=Pace.EVERY_WINDOW)
    run(drive(media(), session(config), SlowEars(0.5), describer, EstimateVoice(), Notebook()))
    assert 0 < describer.ahead <= 30_000


def states(notebook: Notebook) -> list[DescriberState]:
    return [s for s in notebook.all(DescriberState) if isinstance(s, DescriberState)]


def test_an_outage_is_told_once_and_so_is_its_end() -> None:
    notebook = Notebook()
    stats = played(Programme(2 * MINUTE), OutageDescriber(11, 30), notebook)
    down, up = states(notebook)
    assert (down.up, down.why) == (False, "the model is gone")
    assert down.hole == Interval(20_000, 26_000)
    assert up.up
    assert up.hole == Interval(20_000, 62_000 - 8_000)
    assert stats.waits[WaitReason.DESCRIBER_FAILED] == 20
    texts = [e.cue.text for e in notebook.all(AdEvent) if isinstance(e, AdEvent)]
    assert len(set(texts)) == len(texts)
    assert not [e for e in texts if e == "thing11 falls11"]


def test_a_describer_that_hangs_is_told_of_when_its_window_is_of_no_use_any_more() -> None:
    notebook = Notebook()
    played(Programme(MINUTE), OutageDescriber(4, 1_000, hangs=True), notebook)
    (down,) = states(notebook)
    told = notebook.entries.index(down)
    asked = [a for a in notebook.entries[:told] if isinstance(a, WindowAsked)]
    assert asked[-1].wall == pytest.approx(16.5, abs=0.2)
    assert "no answer" in down.why


def test_in_replay_a_describer_that_is_down_is_waited_for() -> None:
    notebook, describer = Notebook(), OutageDescriber(5, 12)
    stats = played(Programme(MINUTE), describer, notebook, EVERY)
    assert [s.up for s in states(notebook)] == [False, True]
    ends = [w.when.end for w in describer.asked]
    assert sorted(set(ends)) == list(range(2_000, 60_001, 2_000))
    assert stats.waits == {WaitReason.DESCRIBER_FAILED: 3}  # the three before it was known


def test_in_replay_a_describer_that_stays_down_ends_the_work() -> None:
    describer = OutageDescriber(5, 1_000_000)
    with pytest.raises(DescriberError, match="is down: the model is gone"):
        played(Programme(MINUTE), describer, Notebook(), EVERY)
    assert len(describer.asked) < 40


def test_what_an_answer_cost_comes_with_its_parts() -> None:
    class Costly(WaitingDescriber):
        async def decide(self, window: Window) -> Decision:
            await super().decide(window)
            return Wait(WaitReason.MODEL_WAITS, stages=(("prompt", 0.1), ("prefill", 0.4)))

    notebook = Notebook()
    played(Programme(10_000), Costly(0.5), notebook)
    asked = [a for a in notebook.all(WindowAsked) if isinstance(a, WindowAsked)]
    assert {a.stages for a in asked} == {(("decide", 0.5), ("prompt", 0.1), ("prefill", 0.4))}


def test_in_replay_a_lost_engine_is_told_of_at_once_and_nothing_is_left_out() -> None:
    class Lost(WaitingDescriber):
        async def decide(self, window: Window) -> Decision:
            await super().decide(window)
            if 5 <= len(self.asked) <= 9:
                raise DescriberError("no answer") from EngineBusyError("can't be reached")
            return Wait(WaitReason.MODEL_WAITS)

    notebook, describer = Notebook(), Lost(0.5)
    stats = played(Programme(MINUTE), describer, notebook, EVERY)
    down, up = states(notebook)
    assert (down.up, down.at, down.hole.duration) == (False, 8_000, 0)
    assert (up.up, up.at, up.hole.duration) == (True, 10_000, 0)
    assert stats.waits == {WaitReason.MODEL_WAITS: 30}


def test_in_replay_an_engine_that_refuses_again_and_again_ends_the_work() -> None:
    class Refusing(WaitingDescriber):
        async def decide(self, window: Window) -> Decision:
            await super().decide(window)
            raise DescriberError("wrong key") from EngineRefusedError("HTTP 401")

    describer = Refusing(0.5)
    with pytest.raises(DescriberError, match="is down: wrong key"):
        played(Programme(MINUTE), describer, Notebook(), EVERY)
    assert len(describer.asked) == 4  # three refusals might be of their windows alone


def test_in_replay_one_answer_that_is_none_is_a_wait() -> None:
    class Garbled(WaitingDescriber):
        async def decide(self, window: Window) -> Decision:
            await super().decide(window)
            if len(self.asked) == 5:
                raise DescriberError("no answer") from EngineAnswerError("not JSON")
            return Wait(WaitReason.MODEL_WAITS)

    notebook = Notebook()
    stats = played(Programme(MINUTE), Garbled(0.5), notebook, EVERY)
    assert states(notebook) == []
    assert stats.waits == {WaitReason.MODEL_WAITS: 29, WaitReason.DESCRIBER_FAILED: 1}
