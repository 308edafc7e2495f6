"""How ``open_engine`` opens this engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from strad_engines.engine_errors import EngineRefusedError
from strad_engines.known_answer import must_answer, read_known_answer
from strad_engines.opened_engine import EngineOptions, Opened, OpenedEngine
from strad_engines.vllm_engine.engine import VllmEngine
from strad_engines.vllm_engine.starting import Starting


def opened(model: str, options: EngineOptions) -> Opened:
    """The engine with ``model``; ``options.settings`` are the fields of ``Starting``."""
    return _open(model, Starting.of(options.settings), options)


@asynccontextmanager
async def _open(
    model: str, starting: Starting, options: EngineOptions
) -> AsyncIterator[OpenedEngine]:
    known = read_known_answer(options.known) if options.known else None
    if starting.adapter is not None and known is None:
        raise EngineRefusedError(
            f"{starting.adapter} is an adapter, loaded beside {model}: serve the merged checkpoint,"
            " or give a known answer that shows it is served right"
        )
    async with VllmEngine(model, starting) as engine:
        if known is not None:
            await must_answer(engine, known)
        yield OpenedEngine(engine, engine.abilities, engine, engine.said)
