"""The describers of a process: opened once by name, then made for each stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from service.equipment import MakeDescriber
from service.model_choice import ModelChoice
from service.model_describer import OpenedModel, open_model
from strad.errors import InputError
from strad.predictions import PREDICTIONS
from strad.text_file import read_text
from strad_engines.weights import Weights
from streaming.config import StreamConfig
from streaming.describers.scripted import ScriptedDescriber

NAMES = "facts, strad-ft, and scripted:FILE"


@dataclass(frozen=True, slots=True)
class Describers:
    """A maker for each describer asked for, by the name a publisher may use."""

    makers: Mapping[str, MakeDescriber]
    model: OpenedModel | None = None
    """What is behind ``strad-ft``."""

    @property
    def said(self) -> tuple[str, ...]:
        """Lines for a person: what serves the model, and how."""
        return self.model.said if self.model else ()

    @property
    def width(self) -> int | None:
        """Of the pictures, where they must be smaller than usual."""
        return self.model.width if self.model else None

    def tune(self, name: str, config: StreamConfig) -> StreamConfig:
        """The config as it fits this describer."""
        return self.model.tune(name, config) if self.model and name == "strad-ft" else config


@asynccontextmanager
async def open_describers(
    wanted: Iterable[str], weights: Weights, choice: ModelChoice | None = None
) -> AsyncIterator[Describers]:
    """``wanted`` as on the command line: ``facts``, ``strad-ft``, ``scripted:FILE``.

    Raises InputError, MissingModelError, and what ``open_model`` raises of ``choice``.
    """
    makers: dict[str, MakeDescriber] = {}
    model: OpenedModel | None = None
    async with AsyncExitStack() as stack:
        for spec in wanted:
            name, _, file = spec.partition(":")
            match name:
                case "facts" if not file:
                    makers[name] = await asyncio.to_thread(_load_facts, weights)
                case "scripted" if file:
                    makers[name] = _load_script(Path(file))
                case "strad-ft" if not file:
                    model = await stack.enter_async_context(
                        open_model(choice or ModelChoice(), weights)
                    )
                    makers[name] = model.maker()
                case _:
                    raise InputError(f"no describer {spec!r}: there is {NAMES}")
        yield Describers(makers, model)


def _load_facts(weights: Weights) -> MakeDescriber:
    from streaming.describers.facts.describer import FactsDescriber
    from streaming.describers.facts.models import FactsModels

    models = FactsModels.load(weights)
    return lambda _: FactsDescriber(models)


def _load_script(file: Path) -> MakeDescriber:
    lines = read_text(file).splitlines()
    cues = [prediction.cue() for prediction in PREDICTIONS.each(lines, file=str(file))]
    return lambda _: ScriptedDescriber(cues)
