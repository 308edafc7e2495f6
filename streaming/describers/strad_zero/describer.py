"""The describer ``strad-zero``: caption the new pictures, decide, describe in three lengths.

A model that was never trained for it is asked up to three times about a window, or once for all
(docs/adr/0056). Nothing is described that no caption holds. What can't be used is a wait with its
reason. What the model really said is never logged.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from strad.decision import Decision, Describe, Wait, WaitReason
from strad.errors import DescriberError
from strad.timeline import Interval, Ms
from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineError, EngineRefusedError
from strad_engines.messages import Generated, Sampling
from streaming.describers.strad_zero import answers, prompts
from streaming.describers.strad_zero.answers import Forms
from streaming.describers.strad_zero.asking import ZeroAsking
from streaming.describers.strad_zero.material import looked_at
from streaming.describers.strad_zero.pictures import new_pictures
from streaming.describers.strad_zero.prompts import ZeroPrompt
from streaming.describers.strad_zero.timing import centred, fitting, inside
from streaming.describers.strad_zero.turns import Turn, Turns
from streaming.describers.talk import Talk
from streaming.prompt.odds import log_odds
from streaming.said import says_the_same
from streaming.window import Window

logger = logging.getLogger(__name__)

IN_FLIGHT = 8
"""Windows that are with the engine at once, of all the streams of one describer."""
GRACE_S = 0.25
"""The engine has the deadline and knows best what went wrong; only then it is taken from it."""
LEAST: Ms = 500
"""A description is about no less, where the only new picture is the window's last."""
TOKENS = {"caption": 160, "decision": 8, "description": 192, "watch": 384}
"""The longest answers."""


class StradZeroDescriber:
    """Asks one engine about one stream's windows, any number at once; decides them in order.

    The engine is its owner's to close.
    """

    draft = True
    """Always: nobody has checked such a model's descriptions."""

    def __init__(
        self,
        engine: ChatEngine,
        *,
        model: str,
        asking: ZeroAsking | None = None,
        max_in_flight: int = IN_FLIGHT,
    ) -> None:
        self._engine = engine
        self._model = model
        self._asking = asking or ZeroAsking()
        self._free = asyncio.Semaphore(max_in_flight)
        self._turns = Turns()
        self.left_out = 0
        """Lines of context that no prompt had room for."""

    @property
    def name(self) -> str:
        """``strad-zero:MODEL (prompts v1)``, or ``(prompts v1, one call)``."""
        calls = ", one call" if self._asking.one_call else ""
        return f"strad-zero:{self._model} (prompts {prompts.VERSION}{calls})"

    async def aclose(self) -> None:
        """Tell what was left out. Nothing is held."""
        if self.left_out:
            logger.info(
                "%s: %d lines of context had no room in its prompts", self.name, self.left_out
            )
            self.left_out = 0

    async def decide(self, window: Window) -> Decision:
        """Wait or describe. Raises DescriberError where the engine gives no answer in time."""
        if not new_pictures(window):
            return Wait(WaitReason.NO_FRAMES)
        talk = Talk(self._engine, self._asking.deadline_s)
        try:
            async with asyncio.timeout(self._asking.deadline_s + GRACE_S):
                decision = await self._in_turn(window, talk)
        except TimeoutError:
            late = f"{self.name}: no answer in {self._asking.deadline_s:g} s"
            raise DescriberError(late) from None
        except EngineError as error:
            raise DescriberError(f"{self.name}: {error}") from error
        return replace(decision, stages=talk.stages)

    async def _in_turn(self, window: Window, talk: Talk) -> Decision:
        with self._turns.take() as turn:
            async with self._free:
                talk.did("queue")
                asked = self._at_once if self._asking.one_call else self._by_stages
                decision = await asked(window, talk, turn)
            turn.describes(decision, window.language)
        return decision

    async def _by_stages(self, window: Window, talk: Talk, turn: Turn) -> Decision:
        """Up to three requests; the first that finds a reason to wait is the last."""
        seen = await self._caption(window, talk)
        if isinstance(seen, WaitReason):
            return Wait(seen)
        window = await self._known(window, talk, turn)
        odds = await self._decision(window, seen, talk)
        if isinstance(odds, Wait):
            return odds
        prompt = prompts.describe(window, seen, budget=self._asking.context_tokens)
        form = (answers.forms_regex(), answers.forms_schema())
        said = await self._ask(prompt, talk, "description", *form)
        return self._meaning(answers.read_forms(said.text, window.language), window, odds)

    async def _caption(self, window: Window, talk: Talk) -> str | WaitReason:
        prompt = prompts.caption(window, video=self._asking.video)
        said = await self._ask(prompt, talk, "caption", answers.caption_regex())
        return answers.read_caption(said.text, window.language)

    async def _decision(self, window: Window, seen: str, talk: Talk) -> float | Wait | None:
        """The odds where it is to be described; None where nobody tells them."""
        prompt = prompts.decide(window, seen, budget=self._asking.context_tokens)
        said = await self._ask(prompt, talk, "decision", answers.decision_regex())
        describes = answers.read_decision(said.text, window.language)
        odds = log_odds(said.tokens)
        if isinstance(describes, WaitReason):
            return Wait(describes, odds)
        wanted = describes if odds is None else odds >= self._asking.threshold
        if wanted:
            return odds
        return Wait(WaitReason.UNSURE if describes else WaitReason.MODEL_WAITS, odds)

    async def _known(self, window: Window, talk: Talk, turn: Turn) -> Window:
        """The window with what was described since it was asked about."""
        window = await turn.come(window)
        talk.did("turn")
        return window

    async def _at_once(self, window: Window, talk: Talk, turn: Turn) -> Decision:
        """One request for all three stages."""
        prompt = prompts.watch(window, video=self._asking.video, budget=self._asking.context_tokens)
        form = (answers.watch_regex(), answers.watch_schema())
        said = await self._ask(prompt, talk, "watch", *form)
        window = await self._known(window, talk, turn)
        found = answers.read_watched(said.text, window.language)
        if isinstance(found.seen, WaitReason):
            return Wait(found.seen)
        if isinstance(found.describes, WaitReason):
            return Wait(found.describes)
        if found.forms is None:
            return Wait(WaitReason.MODEL_WAITS)
        return self._meaning(found.forms, window, None)

    def _meaning(self, forms: Forms | WaitReason, window: Window, odds: float | None) -> Decision:
        if isinstance(forms, WaitReason):
            return Wait(forms, odds)
        if any(says_the_same(forms.texts[-1], cue.text) for cue in window.history):
            return Wait(WaitReason.REPEATED, odds)
        seen, texts = looked_at(window), forms.texts
        if not self._asking.one_form:
            first = min(new_pictures(window)[0].t, max(seen.start, seen.end - LEAST))
            when = inside(texts[-1], seen, Interval(first, seen.end))
            return Describe(texts, when, odds, forms.kind)
        one = fitting(texts, window.gap.duration if window.gap else seen.duration)
        return Describe((one,), centred(one, seen), odds, forms.kind)

    async def _ask(
        self, prompt: ZeroPrompt, talk: Talk, stage: str, regex: str, schema: str | None = None
    ) -> Generated:
        """One request; held to its form where that can be had, or else to its schema."""
        self.left_out += prompt.left_out
        talk.did("prompt")
        asking = self._asking
        sampling = Sampling(
            max_tokens=TOKENS[stage],
            regex=regex if asking.constrained else None,
            schema=schema if asking.schemas and not asking.constrained else None,
            alternatives=self._asking.alternatives if stage == "decision" else None,
        )
        try:
            return await talk.ask(prompt.messages, sampling, stage=stage)
        except EngineRefusedError as refused:
            if sampling.regex is None and sampling.schema is None:
                raise
            free = replace(sampling, regex=None, schema=None)
            generated = await talk.ask(prompt.messages, free, stage=stage)
            schemas = self._asking.schemas and sampling.schema is None
            self._asking = replace(self._asking, constrained=False, schemas=schemas)
            logger.warning("%s: answers are not held to a form: %s", self.name, refused)
            return generated
