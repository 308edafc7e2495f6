"""Replies to what a Session asks: the describer's answers and the voice's lengths, with limits."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from strad.decision import Decision, Wait, WaitReason
from strad.errors import DescriberError, StradError
from strad.timeline import to_seconds
from streaming.describers.describer import Describer
from streaming.effects import AskDescriber, MeasureSpeech
from streaming.facts import Answered, Measured
from streaming.voices.voice import Voice
from streaming.window import Window

logger = logging.getLogger(__name__)

ANSWER_LIMIT = 60.0
"""Seconds after which an unanswered question counts as a WAIT."""

REPLAY_LIMIT = 120.0
"""The same where no answer is ever too late: slow machines describe files, too."""

LEAST_LIMIT = 1.0
"""An answer always gets so many seconds, however late the window already is."""


@dataclass(frozen=True, slots=True)
class Cost:
    """How one question went."""

    wall: float
    """Seconds from the question to the answer."""
    failure: StradError | None
    """Why there was no answer, if there was none."""


class Replies:
    """Asks on a Session's behalf; a describer that fails or never answers is a WAIT."""

    def __init__(self, describer: Describer, voice: Voice) -> None:
        self._describer = describer
        self._voice = voice
        self._costs: dict[int, Cost] = {}
        self._failing = False

    async def to(self, effect: AskDescriber | MeasureSpeech) -> Answered | Measured:
        """The fact that answers ``effect``."""
        if isinstance(effect, MeasureSpeech):
            lengths = [await self._voice.duration(f, effect.language) for f in effect.forms]
            return Measured(effect.question, tuple(lengths))
        clock = asyncio.get_running_loop().time
        asked = clock()
        decision, failure = await self._decide(effect.window, _limit(effect))
        self._log(failure)
        self._costs[effect.question] = Cost(clock() - asked, failure)
        return Answered(effect.question, decision)

    def failure(self, question: int) -> StradError | None:
        """Why this question got no answer, if it got none."""
        return self._costs[question].failure

    def cost(self, question: int) -> Cost:
        """How this question went. Told once."""
        return self._costs.pop(question)

    def _log(self, failure: StradError | None) -> None:
        """The first of a row of failures; what follows is the same until an answer comes."""
        if failure is not None and not self._failing:
            logger.warning("no answer from the describer: %s", failure)
        self._failing = failure is not None

    async def _decide(self, window: Window, limit: float) -> tuple[Decision, StradError | None]:
        try:
            async with asyncio.timeout(limit):
                return await self._describer.decide(window), None
        except TimeoutError:
            late = DescriberError(f"{self._describer.name}: no answer in {limit:.3g} s")
            return Wait(WaitReason.TIMED_OUT), late
        except DescriberError as error:
            return Wait(WaitReason.DESCRIBER_FAILED), error


def _limit(effect: AskDescriber) -> float:
    """Seconds this answer may take: while anything in the window can still be spoken in time."""
    if effect.useful_for is None:
        return REPLAY_LIMIT
    return min(ANSWER_LIMIT, max(LEAST_LIMIT, to_seconds(effect.useful_for)))
