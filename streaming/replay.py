"""Replay: the same Session over recorded media, every window in order or paced by latency.

Paced by latency, an answer that took ``wall`` seconds is applied when the media has moved on by as
much, as it would have been live; the pace of the media itself does not matter.
"""

from __future__ import annotations

import heapq
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from strad.decision import Decision
from strad.timeline import Ms
from streaming.announcement import Announcement, WindowAsked
from streaming.config import Pace
from streaming.describers.describer import Describer
from streaming.driver import Announce, drive
from streaming.ears import Ears
from streaming.effects import AskDescriber, Effect, MeasureSpeech, WindowClosed
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import Heard
from streaming.media import Media
from streaming.session import Session
from streaming.stats import SessionStats
from streaming.voices.voice import Voice
from streaming.window import Window

Latency: TypeAlias = Callable[[Window], Ms]
"""How long the describer would take over a window."""


async def replay(
    media: AsyncIterator[Media | Heard],
    session: Session,
    ears: Ears | None,
    describer: Describer,
    voice: Voice,
    announce: Announce,
) -> SessionStats:
    """Ask every window in order, as fast as the describer answers."""
    if session.config.pace is not Pace.EVERY_WINDOW:
        raise ValueError("replay asks every window: the session must be set so")
    return await drive(media, session, ears, describer, voice, announce)


async def replay_paced(
    facts: AsyncIterator[Fact],
    session: Session,
    describer: Describer,
    voice: Voice,
    announce: Announce,
    latency: Latency,
) -> SessionStats:
    """Ask as a live stream would whose describer took ``latency`` over each window.

    ``facts`` is what was seen and heard, in the order of its arrival.
    """
    run = _Paced(session, describer, voice, announce, latency)
    async for fact in facts:
        await run.feed(fact)
    await run.feed(MediaEnded())
    await run.drain()
    return session.stats()


@dataclass(order=True, slots=True)
class _Due:
    at: Ms
    question: int
    decision: Decision = field(compare=False)


class _Paced:
    def __init__(
        self,
        session: Session,
        describer: Describer,
        voice: Voice,
        announce: Announce,
        latency: Latency,
    ) -> None:
        self._session = session
        self._describer = describer
        self._voice = voice
        self._announce = announce
        self._latency = latency
        self._due: list[_Due] = []
        self._took: dict[int, Ms] = {}

    async def feed(self, fact: Fact) -> None:
        """Feed what arrives; before it, the answers that were due by now."""
        await self._carry_out(self._session.feed(fact))
        while self._due and self._due[0].at <= self._session.clock.live_edge:
            await self._answer(heapq.heappop(self._due))

    async def drain(self) -> None:
        """The media has ended: the answers still out come in."""
        while self._due:
            await self._answer(heapq.heappop(self._due))

    async def _answer(self, due: _Due) -> None:
        await self._carry_out(self._session.feed(Answered(due.question, due.decision)))

    async def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case AskDescriber(question, window):
                    await self._ask(question, window)
                case MeasureSpeech(question, forms, language):
                    lengths = [await self._voice.duration(form, language) for form in forms]
                    await self._carry_out(self._session.feed(Measured(question, tuple(lengths))))
                case WindowClosed():
                    await self._announce(self._asked(effect))
                case announcement:
                    await self._tell(announcement)

    async def _ask(self, question: int, window: Window) -> None:
        took = self._latency(window)
        decision = await self._describer.decide(window)
        self._took[question] = took
        heapq.heappush(self._due, _Due(self._session.clock.live_edge + took, question, decision))

    async def _tell(self, announcement: Announcement) -> None:
        await self._announce(announcement)

    def _asked(self, closed: WindowClosed) -> WindowAsked:
        wall = self._took.pop(closed.question) / 1000
        return WindowAsked(
            cursor=closed.cursor,
            advance=closed.advance,
            wall=wall,
            decision=closed.decision,
            emitted_at=self._session.clock.live_edge,
            stages=(("decide", wall),),
        )
