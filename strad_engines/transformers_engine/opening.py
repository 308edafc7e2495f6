"""How ``open_engine`` opens this engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from strad_engines.opened_engine import EngineOptions, Opened, OpenedEngine
from strad_engines.transformers_engine.engine import TransformersEngine
from strad_engines.transformers_engine.loading import Loading


def opened(model: str, options: EngineOptions) -> Opened:
    """The engine with ``model``; ``options.settings`` are the fields of ``Loading``."""
    return _open(model, Loading.of(options.settings))


@asynccontextmanager
async def _open(model: str, loading: Loading) -> AsyncIterator[OpenedEngine]:
    async with TransformersEngine(model, loading) as engine:
        yield OpenedEngine(engine, engine.abilities, engine, engine.said)
