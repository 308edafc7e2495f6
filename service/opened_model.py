"""A model in its engine, opened and guarded, ready to describe streams.

What is one describer's own, how it asks and what it checks, is its ``Manner``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from service.equipment import MakeDescriber
from service.model_choice import ModelChoice
from strad.timeline import to_seconds
from strad_engines.breaker import Breaker, Health
from strad_engines.engine import ChatEngine
from strad_engines.opened_engine import OpenedEngine
from streaming.config import Pace, StreamConfig
from streaming.describers.describer import Describer
from streaming.recording.exchange import OverheardEngine
from streaming.replies import ANSWER_LIMIT, REPLAY_LIMIT
from streaming.usefulness import useful_for

logger = logging.getLogger(__name__)

MARGIN = 1.0
"""Seconds before the driver's limit at which the engine gives up by itself, and says why."""

ONE_BY_ONE = frozenset({"transformers", "scripted"})
"""Engines that take one request after another."""

IN_PROCESS = frozenset({"transformers", "vllm"})
"""Engines that find a model's files by themselves."""

ALTERNATIVES = 20
"""Of the first token: the most that servers give, so that both words are among them."""


class Manner(Protocol):
    """How one describer asks a model."""

    def asked(self, config: StreamConfig) -> Mapping[str, object]:
        """What changes the answers, beside the engine and the size of pictures: for a record."""
        ...

    def describer(self, engine: ChatEngine, model: str, config: StreamConfig) -> Describer:
        """One stream's, over the guarded ``engine``."""
        ...


M_co = TypeVar("M_co", bound=Manner, covariant=True)


@dataclass(frozen=True, slots=True)
class OpenedModel(Generic[M_co]):
    """Ready to describe streams."""

    opened: OpenedEngine
    choice: ModelChoice
    manner: M_co

    @property
    def said(self) -> tuple[str, ...]:
        """Lines for a person: what serves the model, how, and what is slow about it."""
        return self.opened.said

    @property
    def asked(self) -> dict[str, object]:
        """What changes its answers: for a run's record. Not where the engine is."""
        own = self.manner.asked(StreamConfig(pace=Pace.EVERY_WINDOW))
        return {"engine": kind_of(self.choice), **own, "width": self.width}

    @property
    def width(self) -> int | None:
        """Of the pictures, where a preset makes them small; in pixels."""
        return self.choice.preset.width if self.choice.preset else None

    def tune(self, config: StreamConfig) -> StreamConfig:
        """As many questions in flight as were asked for and the engine takes, a preset's stride."""
        choice, stride = self.choice, config.stride
        if choice.preset is not None and stride == StreamConfig().stride:
            stride = choice.preset.stride
        one = 1 if kind_of(choice) in ONE_BY_ONE else None
        return replace(config, in_flight=choice.in_flight or one, stride=stride)

    def maker(self) -> MakeDescriber:
        """Makes each stream's describer, all over one guarded engine."""
        engine = guarded(self.opened)
        model = self.choice.model or self.opened.engine.name
        return lambda config: self.manner.describer(engine, model, config)


def kind_of(choice: ModelChoice) -> str:
    """The engine's name, without where it is."""
    return choice.engine.partition(":")[0]


def guarded(opened: OpenedEngine) -> ChatEngine:
    """The engine behind a breaker that logs how it is; what passes can be recorded."""
    return OverheardEngine(Breaker(opened.engine, told=_told))


def deadline(config: StreamConfig) -> float:
    """Seconds the engine has for a window: as long as its answer could be spoken in time."""
    useful = useful_for(config)
    limit = REPLAY_LIMIT if useful is None else min(ANSWER_LIMIT, to_seconds(useful))
    return max(MARGIN, limit - MARGIN)


def _told(health: Health) -> None:
    if health.state == "down":
        logger.warning("the engine is down: %s", health.why)
    elif health.state == "up":
        logger.info("the engine is up again")
