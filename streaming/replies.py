"""Replies to what a Session asks: the describer's answers and the voice's lengths, with limits."""

from __future__ import annotations

import asyncio
import logging

from strad.decision import Decision, Wait, WaitReason
from strad.errors import DescriberError
from streaming.describers.describer import Describer
from streaming.effects import AskDescriber, MeasureSpeech
from streaming.facts import Answered, Measured
from streaming.voices.voice import Voice
from streaming.window import Window

logger = logging.getLogger(__name__)

ANSWER_LIMIT = 60.0
"""Seconds after which an unanswered question counts as a WAIT."""


class Replies:
    """Asks on a Session's behalf; a describer that fails or never answers is a WAIT."""

    def __init__(self, describer: Describer, voice: Voice) -> None:
        self._describer = describer
        self._voice = voice
        self._walls: dict[int, float] = {}

    async def to(self, effect: AskDescriber | MeasureSpeech) -> Answered | Measured:
        """The fact that answers ``effect``."""
        if isinstance(effect, MeasureSpeech):
            lengths = [await self._voice.duration(f, effect.language) for f in effect.forms]
            return Measured(effect.question, tuple(lengths))
        clock = asyncio.get_running_loop().time
        asked = clock()
        decision = await self._decide(effect.window)
        self._walls[effect.question] = clock() - asked
        return Answered(effect.question, decision)

    def wall(self, question: int) -> float:
        """Seconds this question took. Told once."""
        return self._walls.pop(question)

    async def _decide(self, window: Window) -> Decision:
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                return await self._describer.decide(window)
        except TimeoutError:
            return Wait(WaitReason.TIMED_OUT)
        except DescriberError as error:
            logger.warning("the describer failed: %s", error)
            return Wait(WaitReason.DESCRIBER_FAILED)
