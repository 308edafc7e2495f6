"""The describer ``strad-ft``, opened: a model in its engine, guarded, asked as it was trained."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from service.equipment import MakeDescriber
from service.model_choice import ModelChoice, must_take
from strad.errors import InputError
from strad.model_file import ModelFile
from strad.timeline import to_seconds
from strad_engines.adapters import CONFIG as ADAPTER
from strad_engines.breaker import Breaker, Health
from strad_engines.checkpoint import read_json
from strad_engines.engine import ChatEngine
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions, OpenedEngine
from strad_engines.weights import Weights
from streaming.config import Pace, StreamConfig
from streaming.describers.describer import Describer
from streaming.describers.strad_ft.asking import Asking, Penalty
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.prompt.profile import Profile
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


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """Ready to describe streams."""

    opened: OpenedEngine
    choice: ModelChoice
    profile: Profile
    file: ModelFile | None

    @property
    def said(self) -> tuple[str, ...]:
        """Lines for a person: what serves the model, how, and what is slow about it."""
        return self.opened.said

    @property
    def asked(self) -> dict[str, object]:
        """What changes its answers: for a run's record. Not where the engine is."""
        asking = self.asking(StreamConfig(pace=Pace.EVERY_WINDOW))
        return {
            "engine": self.choice.engine.partition(":")[0],
            "profile": self.profile.name,
            "threshold": asking.threshold,
            "presence_penalty": asking.presence_penalty,
            "penalty": asking.penalty.value,
            "constrained": asking.constrained,
            "width": self.width,
        }

    @property
    def width(self) -> int | None:
        """Of the pictures, where a preset makes them small; in pixels."""
        return self.choice.preset.width if self.choice.preset else None

    def tune(self, config: StreamConfig) -> StreamConfig:
        """As many questions in flight as were asked for, and a preset's stride."""
        return tuned(self.choice, config)

    def maker(self) -> MakeDescriber:
        """Makes each stream's describer, all over one guarded engine."""
        engine = guarded(self.opened)
        model = self.choice.model or self.opened.engine.name

        def make(config: StreamConfig) -> Describer:
            return StradFtDescriber(
                engine,
                self.profile,
                model=model,
                asking=self.asking(config),
                counter=self.opened.counter,
                release=self.file.release if self.file else False,
            )

        return make

    def asking(self, config: StreamConfig) -> Asking:
        """How windows are put to the model in a stream that is run by ``config``."""
        able, file = self.opened.abilities, self.file
        asking = Asking(
            alternatives=None if able.log_probabilities is False else ALTERNATIVES,
            constrained=able.regex,
            model_tokens=able.context,
            deadline_s=deadline(config),
        )
        if file is not None:
            asking = replace(
                asking,
                threshold=file.threshold,
                presence_penalty=file.presence_penalty,
                penalty=Penalty(file.penalty),
            )
        if self.choice.threshold is not None:
            asking = replace(asking, threshold=self.choice.threshold)
        return asking


def tuned(choice: ModelChoice, config: StreamConfig) -> StreamConfig:
    """The config as it fits the chosen engine and preset."""
    serial = choice.engine.partition(":")[0] in ONE_BY_ONE
    stride = config.stride
    if choice.preset is not None and stride == StreamConfig().stride:
        stride = choice.preset.stride
    return replace(config, in_flight=choice.in_flight or (1 if serial else None), stride=stride)


def guarded(opened: OpenedEngine) -> ChatEngine:
    """The engine behind a breaker that logs how it is; what passes can be recorded."""
    return OverheardEngine(Breaker(opened.engine, told=_told))


def deadline(config: StreamConfig) -> float:
    """Seconds the engine has for a window: as long as its answer could be spoken in time."""
    useful = useful_for(config)
    limit = REPLAY_LIMIT if useful is None else min(ANSWER_LIMIT, to_seconds(useful))
    return max(MARGIN, limit - MARGIN)


@asynccontextmanager
async def open_model(choice: ModelChoice, weights: Weights) -> AsyncIterator[OpenedModel]:
    """Open the engine and check that it serves the model as it was trained.

    ``weights``: where a model in this process comes from.

    Raises InputError, MissingModelError, and what ``open_engine`` raises: one line each.
    """
    choice.check()
    path, file = choice.own_file(weights.models)
    profile = choice.profile_of(file)
    known = path.parent / file.check if path and file and file.check else None
    model, settings = _in_this_process(choice, weights)
    options, key = (
        EngineOptions(server=choice.server, known=known, settings=settings),
        choice.key or None,
    )
    async with open_engine(choice.engine, model, key=key, options=options) as opened:
        must_take(profile, opened.abilities, choice.engine)
        yield OpenedModel(opened, choice, profile, file)


def _in_this_process(choice: ModelChoice, weights: Weights) -> tuple[str, dict[str, object]]:
    """The model to load, and how: an adapter's folder means its base with the adapter on it."""
    if choice.engine not in IN_PROCESS:
        return choice.model, {}
    folder = Path(choice.model).expanduser()
    if not (folder / ADAPTER).is_file():
        return choice.model, {"weights": weights}
    base = read_json(folder / ADAPTER).get("base_model_name_or_path")
    if not isinstance(base, str) or not base:
        raise InputError(f"{folder} is an adapter, and does not say of which model")
    return base, {"weights": weights, "adapter": folder}


def _told(health: Health) -> None:
    if health.state == "down":
        logger.warning("the engine is down: %s", health.why)
    elif health.state == "up":
        logger.info("the engine is up again")
