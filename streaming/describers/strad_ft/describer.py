"""The describer ``strad-ft``: a window as a prompt, the first token as the decision, a line as AD.

The model's first word decides by its log-odds against a threshold (docs/adr/0017). Whatever else it
says that can't be spoken is a wait with its reason. What it really said is never logged.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from strad.decision import Decision, Describe, Wait, WaitReason
from strad.errors import DescriberError
from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineError, EngineRefusedError, EngineTooLongError
from strad_engines.messages import Generated, Sampling
from strad_engines.token_counter import TokenCounter
from streaming.describers.strad_ft.asking import Asking, Penalty
from streaming.describers.strad_ft.token_room import TokenRoom
from streaming.describers.talk import Talk
from streaming.prompt.profile import Profile, Prompt
from streaming.window import Window

logger = logging.getLogger(__name__)

IN_FLIGHT = 8
"""Windows that are with the engine at once, of all the streams of one describer."""

GRACE_S = 0.25
"""The engine has the deadline and knows best what went wrong; only then it is taken from it."""


class StradFtDescriber:
    """Asks one engine about windows, any number at once. The engine is its owner's to close."""

    def __init__(
        self,
        engine: ChatEngine,
        profile: Profile,
        *,
        model: str,
        asking: Asking | None = None,
        counter: TokenCounter | None = None,
        max_in_flight: int = IN_FLIGHT,
        release: bool = False,
    ) -> None:
        """``release``: whether the checkpoint's card says that it is a fine-tuned release.

        ``counter`` is asked about prompts of more pictures than any before; only where
        ``model_tokens`` is known.
        """
        self._engine = engine
        self._profile = profile
        self._model = model
        self._asking = asking or Asking()
        self._counter = counter
        self._release = release
        self._room = TokenRoom(self._asking)
        self._answered = False
        self._free = asyncio.Semaphore(max_in_flight)
        self.left_out = 0
        """Elements of context that no prompt had room for."""

    @property
    def name(self) -> str:
        """``strad-ft:MODEL``."""
        return f"strad-ft:{self._model}"

    @property
    def draft(self) -> bool:
        """Whether the model is anything but a fine-tuned release."""
        return not self._release

    async def aclose(self) -> None:
        """Tell what was left out. Nothing is held."""
        if self.left_out:
            logger.info(
                "%s: %d elements of context had no room in its prompts", self.name, self.left_out
            )
            self.left_out = 0

    async def decide(self, window: Window) -> Decision:
        """Wait or describe. Raises DescriberError where the engine gives no answer in time."""
        if not window.frames:
            return Wait(WaitReason.NO_FRAMES)
        talk = Talk(self._engine, self._asking.deadline_s)
        try:
            async with asyncio.timeout(self._asking.deadline_s + GRACE_S), self._free:
                talk.did("queue")
                decision = await self._decided(window, talk)
        except TimeoutError:
            late = f"{self.name}: no answer in {self._asking.deadline_s:g} s"
            raise DescriberError(late) from None
        except EngineError as error:
            raise DescriberError(f"{self.name}: {error}") from error
        return replace(decision, stages=talk.stages)

    async def _decided(self, window: Window, talk: Talk) -> Decision:
        always = self._asking.penalty is Penalty.ALWAYS
        prompt, first = await self._first(window, talk, penalised=always)
        odds = self._profile.odds(first.tokens)
        decision = self._profile.parse(first.text, window, odds=odds)
        wanted = odds is None or odds >= self._asking.threshold
        talk.did("parse")
        match decision:
            case Describe() if not wanted:
                return Wait(WaitReason.UNSURE, odds)
            case Wait(WaitReason.MODEL_WAITS) if odds is not None and wanted:
                return await self._again(prompt, window, talk, decision, penalised=always)
            case Wait(WaitReason.REPEATED) if wanted and self._says_otherwise:
                return await self._again(prompt, window, talk, decision, penalised=True)
            case _:
                return decision

    async def _first(
        self, window: Window, talk: Talk, *, penalised: bool
    ) -> tuple[Prompt, Generated]:
        """The first request: with less context, as often as the model finds it too long."""
        while True:
            prompt = await self._prompt(window, talk)
            try:
                found = await self._ask(prompt, talk, describe=False, penalised=penalised)
            except EngineTooLongError as refused:
                if not self._room.refused(prompt.context, refused.limit):
                    raise
            else:
                self.left_out += prompt.left_out
                return prompt, found

    @property
    def _says_otherwise(self) -> bool:
        return self._asking.penalty is Penalty.ON_REPEAT

    async def _again(
        self, prompt: Prompt, window: Window, talk: Talk, before: Wait, *, penalised: bool
    ) -> Decision:
        """The one second request: now it may only describe. ``before`` stands where it can't."""
        if not self._asking.constrained:
            return before
        generated = await self._ask(prompt, talk, describe=True, penalised=penalised)
        decision = self._profile.parse(generated.text, window, odds=before.odds)
        talk.did("parse")
        return decision

    async def _prompt(self, window: Window, talk: Talk) -> Prompt:
        prompt = self._profile.prompt(window, budget=self._room.context)
        pictures = len(self._profile.shown(window).frames)
        if self._counter is not None and self._room.must_count(pictures):
            bare = self._profile.prompt(window, budget=0)
            counts = [
                await self._counter.count(counted.messages, deadline_s=talk.left_s)
                for counted in (bare, prompt)
            ]
            self._room.counted(pictures, bare=counts[0], full=counts[1], context=prompt.context)
            prompt = self._profile.prompt(window, budget=self._room.context)
        talk.did("prompt")
        return prompt

    async def _ask(
        self, prompt: Prompt, talk: Talk, *, describe: bool, penalised: bool
    ) -> Generated:
        sampling = self._asking.sampling(self._profile, describe=describe, penalised=penalised)
        try:
            generated = await talk.ask(prompt.messages, sampling)
        except EngineTooLongError:
            raise
        except EngineRefusedError as refused:
            if describe or (self._answered and self._asking.asks_so(sampling)):
                raise
            generated = await self._plainer(prompt, talk, sampling, refused)
        self._answered = True
        self._room.answered(generated.prompt_tokens, prompt.context)
        return generated

    async def _plainer(
        self, prompt: Prompt, talk: Talk, sampling: Sampling, refused: EngineRefusedError
    ) -> Generated:
        """An engine that never answered refuses: perhaps only what can be done without."""
        for plain in _plainer(sampling):
            try:
                generated = await talk.ask(prompt.messages, plain)
            except EngineTooLongError:
                raise
            except EngineRefusedError:
                continue
            self._asking = replace(
                self._asking,
                constrained=plain.regex is not None,
                alternatives=plain.alternatives,
            )
            logger.warning("%s: %s: %s", self.name, _lost(sampling, plain), refused)
            return generated
        raise refused


def _plainer(sampling: Sampling) -> list[Sampling]:
    """The same without what not every engine gives: the line's form, log-probabilities, both."""
    bare = replace(sampling, regex=None)
    ways = (bare, replace(sampling, alternatives=None), replace(bare, alternatives=None))
    return [way for n, way in enumerate(ways) if way != sampling and way not in ways[:n]]


def _lost(sampling: Sampling, plain: Sampling) -> str:
    lost = []
    if plain.regex != sampling.regex:
        lost.append("answers are not held to the line's form")
    if plain.alternatives != sampling.alternatives:
        lost.append("the word decides, not its odds")
    return ", and ".join(lost)
