"""The Session: microseconds a fact, and memory over an hour on the virtual clock.

Exit status: 0 all targets met, 1 one missed.
"""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc
from collections.abc import Iterator

from strad.decision import Describe
from strad.speech import spoken_ms
from strad.timeline import Interval, Ms
from streaming.config import Pace, StreamConfig
from streaming.effects import AskDescriber, MeasureSpeech
from streaming.facts import Answered, Fact, Measured
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.media import AudioChunk, VideoFrame
from streaming.session import Session

MOST_MICROSECONDS = 100.0
MOST_GROWTH = 0.25
"""MB more than after 3 minutes, at the end of the hour: the texts remembered fill up last."""

HOUR: Ms = 3_600_000
SPEECH_EVERY: Ms = 20_000
SPEECH_LASTS: Ms = 7_000


def facts(until: Ms) -> Iterator[Fact]:
    """A programme with 7 s of speech every 20 s, as it arrives: 100 ms at a time."""
    for t in range(0, until, 100):
        if t % 1000 == 0:
            yield VideoFrame(t, bytes(20_000), 640, 360, t)
        yield AudioChunk(t, bytes(3_200))
        phase = t % SPEECH_EVERY
        speech = (Interval(t, t + 100),) if phase < SPEECH_LASTS else ()
        yield SpeechKnown(t + 100, speech)
        if phase == SPEECH_LASTS:
            yield WordsKnown(t)


def play(session: Session, until: Ms) -> Iterator[tuple[Ms, float]]:
    """Media time and seconds spent in ``feed``, fact by fact; answers come at once."""
    for fact in facts(until):
        todo: list[Fact] = [fact]
        while todo:
            begun = time.perf_counter()
            effects = session.feed(todo.pop())
            spent = time.perf_counter() - begun
            for effect in effects:
                if isinstance(effect, AskDescriber):
                    end = effect.window.when.end
                    text = f"Person {end} walks to door {end}."
                    todo.append(
                        Answered(effect.question, Describe((text,), Interval(end - 2000, end)))
                    )
                if isinstance(effect, MeasureSpeech):
                    lengths = tuple(spoken_ms(form) for form in effect.forms)
                    todo.append(Measured(effect.question, lengths))
            yield session.clock.now, spent


def make() -> Session:
    return Session(StreamConfig(pace=Pace.NEWEST), describer="bench", draft=False)


def speed() -> float:
    """Mean microseconds a fact over a quarter of an hour."""
    session = make()
    spent = [seconds for _, seconds in play(session, HOUR // 4)]
    ranked = sorted(spent)
    mean = 1e6 * sum(spent) / len(spent)
    p99 = 1e6 * ranked[int(0.99 * len(ranked))]
    print(f"feed: {mean:6.1f} us a fact, p99 {p99:6.1f} us, {session.stats()}")
    return mean


def growth() -> float:
    """How many MB more are in use after an hour than after 3 minutes."""
    session = make()
    tracemalloc.start()
    after_three = 0
    for now, _ in play(session, HOUR):
        if not after_three and now >= HOUR // 20:
            gc.collect()
            after_three = tracemalloc.get_traced_memory()[0]
    gc.collect()
    after_hour = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    print(f"memory: {after_three / 1e6:.2f} MB after 3 min, {after_hour / 1e6:.2f} MB after 60 min")
    return (after_hour - after_three) / 1e6


def main() -> int:
    """Measure, print, judge."""
    micros, grown = speed(), growth()
    met = micros < MOST_MICROSECONDS and grown < MOST_GROWTH
    print(
        f"targets: under {MOST_MICROSECONDS:g} us a fact, growth under {MOST_GROWTH:g} MB: "
        f"{micros:.1f} us, {grown:+.2f} MB: {'met' if met else 'MISSED'}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
