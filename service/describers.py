"""The describers of a process: opened once by name, then made for each stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from service.equipment import MakeDescriber, Tune
from service.model_choice import ModelChoice
from strad.errors import InputError
from strad.predictions import PREDICTIONS
from strad.text_file import read_text
from strad_engines.weights import Weights
from streaming.config import StreamConfig
from streaming.describers.scripted import ScriptedDescriber


@dataclass(frozen=True, slots=True)
class Describers:
    """A maker for each describer asked for, by the name a publisher may use."""

    makers: Mapping[str, MakeDescriber]
    tunes: Mapping[str, Tune]
    """What makes a stream's config fit, for those that need it."""

    def tune(self, name: str, config: StreamConfig) -> StreamConfig:
        """The config as it fits this describer."""
        return self.tunes[name](name, config) if name in self.tunes else config


@asynccontextmanager
async def open_describers(
    wanted: Iterable[str], weights: Weights, choice: ModelChoice | None = None
) -> AsyncIterator[Describers]:
    """``wanted`` as on the command line: ``facts``, ``scripted:FILE``.

    Raises InputError, MissingModelError.
    """
    del choice
    makers: dict[str, MakeDescriber] = {}
    tunes: dict[str, Tune] = {}
    for spec in wanted:
        name, _, file = spec.partition(":")
        match name:
            case "facts" if not file:
                makers[name] = await asyncio.to_thread(_load_facts, weights)
            case "scripted" if file:
                makers[name] = _load_script(Path(file))
            case _:
                raise InputError(f"no describer {spec!r}: there is facts, and scripted:FILE")
    yield Describers(makers, tunes)


def _load_facts(weights: Weights) -> MakeDescriber:
    from streaming.describers.facts.describer import FactsDescriber
    from streaming.describers.facts.models import FactsModels

    models = FactsModels.load(weights)
    return lambda _: FactsDescriber(models)


def _load_script(file: Path) -> MakeDescriber:
    lines = read_text(file).splitlines()
    cues = [prediction.cue() for prediction in PREDICTIONS.each(lines, file=str(file))]
    return lambda _: ScriptedDescriber(cues)
