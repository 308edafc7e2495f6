"""An engine by its name on a command line: ``openai:URL``, ``vllm``, ``transformers``, ...

Opening asks or loads, and says in one line what is wrong. To add an engine, add it to ``OPENERS``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import TypeAlias

from strad.errors import InputError, MissingModelError
from strad.text_file import read_text
from strad_engines.abilities import Abilities
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.known_answer import KnownAnswer, must_answer, read_known_answer
from strad_engines.openai_engine import OpenAIEngine
from strad_engines.opened_engine import EngineOptions, Opened, OpenedEngine
from strad_engines.same_model import SameModel
from strad_engines.scripted_engine import ScriptedEngine
from strad_engines.server_address import ServerAddress
from strad_engines.server_inquiry import ask_server
from strad_engines.server_talk import ServerTalk
from strad_engines.server_tokens import ServerTokenCounter

Opener: TypeAlias = Callable[[str, str, str | None, EngineOptions], Opened]
"""Of what follows the colon, the model, the key, the options."""


def open_engine(
    spec: str, model: str, *, key: str | None = None, options: EngineOptions | None = None
) -> Opened:
    """Open what ``spec`` names with ``model``; leaving the context closes it.

    Raises InputError for a name that is none, MissingModelError for what is not installed or not
    here, and on entering the errors of ``ask_server``, each in one line.
    """
    kind, _, rest = spec.partition(":")
    if kind not in OPENERS:
        raise InputError(f"no engine {spec[:80]!r}; there are: {', '.join(WRITTEN)}")
    wanted = options or EngineOptions()
    known = read_known_answer(wanted.known) if wanted.known else None
    opened = OPENERS[kind](rest, model, key, wanted)
    return opened if known is None else _checked(opened, known)


@asynccontextmanager
async def _checked(opened: Opened, known: KnownAnswer) -> AsyncIterator[OpenedEngine]:
    async with opened as found:
        await must_answer(found.engine, known)
        yield found


@asynccontextmanager
async def _openai(
    url: str, model: str, key: str | None, options: EngineOptions
) -> AsyncIterator[OpenedEngine]:
    if not url:
        raise InputError("an engine behind HTTP is written openai:URL, the URL with its /v1")
    address = ServerAddress.of(url, key)
    facts = await ask_server(address, model, kind=options.server, patience_s=options.patience_s)
    if facts.adapter_of and options.known is None:
        raise EngineRefusedError(
            f"{model} is an adapter of {facts.adapter_of}, loaded beside it: serve the merged"
            " checkpoint, or give a known answer that shows it is served right"
        )
    async with address.client() as client:
        talk = ServerTalk(address, client)
        same = SameModel(talk, model, facts).check
        counter = ServerTokenCounter(talk, model, facts, options.extra)
        async with OpenAIEngine(
            url, model, key=key, extra=options.extra, facts=facts, same=same
        ) as engine:
            yield OpenedEngine(
                engine,
                facts.abilities,
                counter if facts.counts_tokens else None,
                (facts.said(model),),
            )


@asynccontextmanager
async def _scripted(
    file: str, model: str, key: str | None, options: EngineOptions
) -> AsyncIterator[OpenedEngine]:
    if not file:
        raise InputError("a scripted engine is written scripted:FILE, an answer a line")
    lines = [line for each in read_text(Path(file)).split("\n") if (line := each.rstrip("\r"))]
    if not lines:
        raise InputError(f"{file}: a script without a line")
    able = Abilities(video=True, images=True, audio=True, regex=False, log_probabilities=False)
    engine = ScriptedEngine(cycle(lines), name=model or "scripted")
    yield OpenedEngine(engine, able, said=(f"{engine.name}: {len(lines)} answers, over and over",))


def _in_process(engine: str, extra: str, *modules: str) -> Opener:
    """An engine of a package of its own, which holds all that needs ``modules``."""

    def opener(rest: str, model: str, key: str | None, options: EngineOptions) -> Opened:
        if rest:
            raise InputError(f"the engine {engine} has nothing after its name: {rest[:80]!r}")
        missing = [module for module in modules if find_spec(module) is None]
        if missing:
            raise MissingModelError(
                f"the engine {engine} needs {' and '.join(missing)}: pip install 'strad[{extra}]'"
            )
        opening = import_module(f"strad_engines.{engine}_engine.opening")
        found: Opened = opening.opened(model, options)
        return found

    return opener


OPENERS: dict[str, Opener] = {
    "openai": _openai,
    "vllm": _in_process("vllm", "gpu", "torch", "vllm"),
    "transformers": _in_process("transformers", "local", "torch", "transformers"),
    "scripted": _scripted,
}
WRITTEN = ("openai:URL", "vllm", "transformers", "scripted:FILE")
