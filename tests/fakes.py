"""Fakes that speak the domain: programmes written down as speech and pictures, and describers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from strad.decision import Decision, Describe, Kind, Wait, WaitReason
from strad.errors import DescriberError
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.announcement import Announcement
from streaming.facts import Fact
from streaming.hearing import Heard, SpeechKnown, WordsKnown
from streaming.media import SAMPLES_PER_MS, AudioChunk, VideoFrame
from streaming.window import Window


def frame(t: Ms) -> VideoFrame:
    """A picture nobody looks at."""
    return VideoFrame(t, b"jpeg", 64, 36, hash=t)


def chunk(t: Ms, length: Ms = 100) -> AudioChunk:
    """Digital silence."""
    return AudioChunk(t, bytes(2 * length * SAMPLES_PER_MS))


def describe(text: str, start: Ms, end: Ms, *shorter: str) -> Describe:
    """Something to say about ``[start, end)``."""
    return Describe((*shorter, text), Interval(start, end), kind=Kind.ACTION)


class Programme:
    """Pictures every second and speech at known times, as facts in order of arrival.

    ``cut`` is how much sound comes at once; ``hearing_lag`` how long VAD takes to decide.
    """

    def __init__(
        self,
        length: Ms,
        speech: Sequence[tuple[Ms, Ms]] = (),
        *,
        cut: Ms = 100,
        hearing_lag: Ms = 0,
    ) -> None:
        self.length = length
        self.speech = [Interval(a, b) for a, b in speech]
        self._cut = cut
        self._lag = hearing_lag

    def facts(self) -> list[Fact]:
        """All facts; every one is later than, or as late as, the one before."""
        facts: list[Fact] = []
        at = 0
        while at < self.length:
            end = min(at + self._cut, self.length)
            facts += [frame(t) for t in range(-(-at // 1000) * 1000, end, 1000)]
            facts.append(chunk(at, end - at))
            facts += self.heard(at - self._lag, end - self._lag)
            at = end
        if self.length % 1000 == 0:
            facts.append(frame(self.length))
        facts += self.heard(self.length - self._lag, self.length)
        return facts

    def heard(self, start: Ms, until: Ms) -> list[Heard]:
        """What VAD and the transcript newly say once everything before ``until`` is decided."""
        if until <= 0:
            return []
        new = Interval(max(0, start), until)
        found = [part for span in self.speech if (part := span.intersect(new))]
        words = tuple(Word(span, "word") for span in self.speech if start < span.end <= until)
        begun = [span.start for span in self.speech if span.start < until < span.end]
        return [SpeechKnown(until, tuple(found)), WordsKnown(min([until, *begun]), words)]


class PacedMedia:
    """A programme that arrives at its own speed, on the loop's clock."""

    def __init__(self, programme: Programme) -> None:
        self._programme = programme
        self.read = 0

    async def __aiter__(self) -> AsyncIterator[VideoFrame | AudioChunk | Heard]:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for fact in self._programme.facts():
            if isinstance(fact, AudioChunk):
                await asyncio.sleep(max(0.0, begun + fact.when.end / 1000 - loop.time()))
            if isinstance(fact, VideoFrame | AudioChunk | SpeechKnown | WordsKnown):
                self.read += 1
                yield fact


class EveryWindowDescriber:
    """Describes every window, over its last two seconds, after thinking ``seconds``."""

    name = "every-window"
    draft = True

    def __init__(self, seconds: float = 0.0, text: Callable[[int], str] | None = None) -> None:
        self._seconds = seconds
        self._text = text or (lambda n: f"thing{n} falls{n}")
        self.asked: list[Window] = []

    async def decide(self, window: Window) -> Decision:
        self.asked.append(window)
        n = len(self.asked)
        await asyncio.sleep(self._seconds)
        start = max(window.when.start, window.when.end - 2_000)
        return Describe((self._text(n),), Interval(start, window.when.end))

    async def aclose(self) -> None:
        pass


class BrokenDescriber(EveryWindowDescriber):
    """Fails on every window."""

    async def decide(self, window: Window) -> Decision:
        self.asked.append(window)
        raise DescriberError("the model is gone")


class WaitingDescriber(EveryWindowDescriber):
    """Waits on every window."""

    async def decide(self, window: Window) -> Decision:
        self.asked.append(window)
        await asyncio.sleep(self._seconds)
        return Wait(WaitReason.NOTHING_NEW)


class Notebook:
    """Writes down what a stream announces."""

    def __init__(self) -> None:
        self.entries: list[Announcement] = []

    async def __call__(self, announcement: Announcement) -> None:
        self.entries.append(announcement)

    def all(self, kind: type) -> list[Announcement]:
        return [entry for entry in self.entries if isinstance(entry, kind)]


class StalledClient:
    """Takes ``room`` announcements and then no more."""

    def __init__(self, room: int) -> None:
        self._room = room

    async def __call__(self, announcement: Announcement) -> None:
        if self._room == 0:
            await asyncio.sleep(1_000_000)
        self._room -= 1


async def stream(facts: Iterable[Fact]) -> AsyncIterator[Fact]:
    """The facts, as fast as they are taken."""
    for fact in facts:
        yield fact


class OutageDescriber(EveryWindowDescriber):
    """Answers after ``seconds``; for questions number ``first`` to ``last`` it is gone."""

    def __init__(self, first: int, last: int, seconds: float = 0.0, *, hangs: bool = False) -> None:
        super().__init__(seconds)
        self._gone = range(first, last + 1)
        self._hangs = hangs

    async def decide(self, window: Window) -> Decision:
        if len(self.asked) + 1 in self._gone:
            self.asked.append(window)
            if self._hangs:
                await asyncio.sleep(1_000_000)
            raise DescriberError("the model is gone")
        return await super().decide(window)
