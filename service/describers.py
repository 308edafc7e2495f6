"""The describers of a process: opened once by name, then made for each stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from service.equipment import MakeDescriber
from service.model_choice import ModelChoice
from service.model_describer import open_model
from service.opened_model import Manner, OpenedModel
from service.zero_describer import open_zero
from strad.errors import InputError
from strad.predictions import PREDICTIONS
from strad.text_file import read_text
from strad_engines.weights import Weights
from streaming.config import StreamConfig
from streaming.describers.scripted import ScriptedDescriber

NAMES = "facts, strad-ft, strad-zero, and scripted:FILE"


@dataclass(frozen=True, slots=True)
class Describers:
    """A maker for each describer asked for, by the name a publisher may use."""

    makers: Mapping[str, MakeDescriber]
    models: Mapping[str, OpenedModel[Manner]] = field(default_factory=dict)
    """What is behind ``strad-ft`` and ``strad-zero``, where they are wanted."""

    @property
    def said(self) -> tuple[str, ...]:
        """Lines for a person: what serves the model, and how."""
        return tuple(dict.fromkeys(line for m in self.models.values() for line in m.said))

    @property
    def width(self) -> int | None:
        """Of the pictures, where they must be smaller than usual."""
        widths = [model.width for model in self.models.values() if model.width]
        return min(widths, default=None)

    def tune(self, name: str, config: StreamConfig) -> StreamConfig:
        """The config as it fits this describer."""
        return self.models[name].tune(config) if name in self.models else config

    def asked(self, name: str) -> Mapping[str, object]:
        """What changes the answers of this describer's model, where it has one."""
        return self.models[name].asked if name in self.models else {}


@asynccontextmanager
async def open_describers(
    wanted: Iterable[str], weights: Weights, choice: ModelChoice | None = None
) -> AsyncIterator[Describers]:
    """``wanted`` as on the command line: ``facts``, ``strad-zero``, ``scripted:FILE``.

    Raises InputError, MissingModelError, and what opening the engine of ``choice`` raises.
    """
    makers: dict[str, MakeDescriber] = {}
    models: dict[str, OpenedModel[Manner]] = {}
    chosen = choice or ModelChoice()
    async with AsyncExitStack() as stack:
        for spec in wanted:
            name, _, file = spec.partition(":")
            match name:
                case "facts" if not file:
                    makers[name] = await asyncio.to_thread(_load_facts, weights)
                case "scripted" if file:
                    makers[name] = _load_script(Path(file))
                case "strad-ft" if not file:
                    models[name] = await stack.enter_async_context(open_model(chosen, weights))
                    makers[name] = models[name].maker()
                case "strad-zero" if not file:
                    models[name] = await stack.enter_async_context(open_zero(chosen, weights))
                    makers[name] = models[name].maker()
                case _:
                    raise InputError(f"no describer {spec!r}: there is {NAMES}")
        yield Describers(makers, models)


def _load_facts(weights: Weights) -> MakeDescriber:
    from streaming.describers.facts.describer import FactsDescriber
    from streaming.describers.facts.models import FactsModels

    models = FactsModels.load(weights)
    return lambda _: FactsDescriber(models)


def _load_script(file: Path) -> MakeDescriber:
    lines = read_text(file).split("\n")
    cues = [prediction.cue() for prediction in PREDICTIONS.each(lines, file=str(file))]
    return lambda _: ScriptedDescriber(cues)
