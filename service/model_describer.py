"""The describer ``strad-ft``, opened: a model in its engine, guarded, asked as it was trained."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from service.model_choice import ModelChoice, must_take
from service.opened_model import ALTERNATIVES, IN_PROCESS, OpenedModel, deadline
from strad.errors import InputError
from strad.model_file import ModelFile
from strad_engines.adapters import CONFIG as ADAPTER
from strad_engines.checkpoint import read_json
from strad_engines.engine import ChatEngine
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions, OpenedEngine
from strad_engines.weights import Weights
from streaming.config import StreamConfig
from streaming.describers.describer import Describer
from streaming.describers.strad_ft.asking import Asking, Penalty
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.prompt.profile import Profile


@dataclass(frozen=True, slots=True)
class AsTrained:
    """How ``strad-ft`` asks: by the model's profile, and what its training says of it."""

    opened: OpenedEngine
    choice: ModelChoice
    profile: Profile
    file: ModelFile | None

    def asked(self, config: StreamConfig) -> dict[str, object]:
        """See ``Manner``."""
        asking = self.asking(config)
        return {
            "profile": self.profile.name,
            "threshold": asking.threshold,
            "presence_penalty": asking.presence_penalty,
            "penalty": asking.penalty.value,
            "constrained": asking.constrained,
        }

    def describer(self, engine: ChatEngine, model: str, config: StreamConfig) -> Describer:
        """See ``Manner``."""
        return StradFtDescriber(
            engine,
            self.profile,
            model=model,
            asking=self.asking(config),
            counter=self.opened.counter,
            release=self.file.release if self.file else False,
        )

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


TrainedModel: TypeAlias = OpenedModel[AsTrained]


@asynccontextmanager
async def open_model(choice: ModelChoice, weights: Weights) -> AsyncIterator[TrainedModel]:
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
        yield OpenedModel(opened, choice, AsTrained(opened, choice, profile, file))


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
    if base.startswith(".") and (folder / base).is_dir():
        base = str((folder / base).resolve())  # exported together, wherever they lie now
    return base, {"weights": weights, "adapter": folder}
