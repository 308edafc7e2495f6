"""The describer ``strad-zero``, opened: any model that takes pictures, in its engine, guarded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from service.model_choice import ModelChoice
from service.opened_model import ALTERNATIVES, IN_PROCESS, OpenedModel, deadline
from strad.errors import InputError
from strad_engines.abilities import Abilities
from strad_engines.engine import ChatEngine
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions, OpenedEngine
from strad_engines.weights import Weights
from streaming.config import Placement, StreamConfig
from streaming.describers.describer import Describer
from streaming.describers.strad_zero.asking import ZeroAsking
from streaming.describers.strad_zero.describer import StradZeroDescriber
from streaming.describers.strad_zero.pictures import MOST_NEW, PERIOD
from streaming.describers.strad_zero.prompts import LENGTHS, VERSION
from streaming.prompt.profile import BUDGET

CONTEXT_SHARE = 3
"""What was heard and described gets at most this part of all the tokens that a model takes."""


@dataclass(frozen=True, slots=True)
class Untrained:
    """How ``strad-zero`` asks: by prompts that any model may answer."""

    opened: OpenedEngine
    choice: ModelChoice

    def asked(self, config: StreamConfig) -> dict[str, object]:
        """See ``Manner``."""
        asking = self.asking(config)
        return {
            "prompts": VERSION,
            "calls": self.choice.calls,
            "words": list(LENGTHS.values()),
            "pictures": "video" if asking.video else "images",
            "threshold": asking.threshold,
            "constrained": asking.constrained,
        }

    def describer(self, engine: ChatEngine, model: str, config: StreamConfig) -> Describer:
        """See ``Manner``."""
        return StradZeroDescriber(engine, model=model, asking=self.asking(config))

    def asking(self, config: StreamConfig) -> ZeroAsking:
        """How windows are put to the model in a stream that is run by ``config``."""
        able = self.opened.abilities
        return ZeroAsking(
            one_call=self.choice.calls == 1,
            one_form=config.placement is Placement.OFF,
            video=able.images is False,
            threshold=self.choice.threshold or 0.0,
            alternatives=None if able.log_probabilities is False else ALTERNATIVES,
            constrained=able.regex,
            schemas=able.schema is not False,
            context_tokens=min(BUDGET, (able.context or 3 * BUDGET) // CONTEXT_SHARE),
            deadline_s=deadline(config),
        )


ZeroModel: TypeAlias = OpenedModel[Untrained]


@asynccontextmanager
async def open_zero(choice: ModelChoice, weights: Weights) -> AsyncIterator[ZeroModel]:
    """Open the engine and check that its model takes pictures.

    ``weights``: where a model in this process comes from.

    Raises InputError, MissingModelError, and what ``open_engine`` raises: one line each.
    """
    choice.check("strad-zero")
    settings = {"weights": weights} if choice.engine in IN_PROCESS else {}
    options, key = EngineOptions(server=choice.server, settings=settings), choice.key or None
    async with open_engine(choice.engine, choice.model, key=key, options=options) as opened:
        must_see(opened.abilities, choice.engine)
        yield OpenedModel(opened, choice, Untrained(opened, choice))


def must_see(abilities: Abilities, engine: str) -> None:
    """Raises InputError where the engine can't show the model any pictures, or tells it wrong."""
    if abilities.images is not False:
        return
    if abilities.video is False:
        raise InputError(f"strad-zero needs pictures, which {engine} does not take with this model")
    if abilities.video_fps not in (None, 1000 / PERIOD):
        raise InputError(f"{engine} reads {abilities.video_fps:g} frames a second, not 1")
    if abilities.most_frames is not None and abilities.most_frames <= MOST_NEW:
        raise InputError(f"{engine} looks at {abilities.most_frames} frames, not {MOST_NEW + 1}")
