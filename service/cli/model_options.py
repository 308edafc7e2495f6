"""The options that choose a describer's model, the same for every command that describes.

They stand here once: ``model_options`` gives them to a command, which is told what was given.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from service.configuration import configure
from service.settings import Settings
from strad.errors import InputError

EngineName: TypeAlias = Annotated[
    str | None,
    typer.Option("--engine", help="What the model runs in: openai:URL, vllm or transformers."),
]
EngineServer: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="What is behind the engine's URL, where it hides it: vllm, llama-server or other."
    ),
]
ModelName: TypeAlias = Annotated[
    str | None,
    typer.Option("--model", help="The model: as its server calls it, a folder, or a hub's name."),
]
Profile: TypeAlias = Annotated[
    str | None,
    typer.Option(help="How the model is asked, as it was trained. By default what its file says."),
]
Threshold: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Log-odds of AD against WAIT from which it is said; higher says less."),
]
ModelFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--model-file", help="What training says of the model: its strad-model.json."),
]
Preset: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Run a model without a GPU: cpu or llama; see docs/presets.md."),
]
Calls: TypeAlias = Annotated[
    int | None,
    typer.Option(
        help="Requests that strad-zero makes of a window: 3, or 1 for all stages in one.",
        show_default="3",
    ),
]
InFlight: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--in-flight", min=0, help="Windows the model may work on at once; 0: as many as help."
    ),
]


Flags: TypeAlias = dict[str, object]
"""What was given on the command line, by the names of settings; None where it wasn't."""
NONE: Flags = {}


def _options(
    *,
    engine: EngineName = None,
    engine_server: EngineServer = None,
    model: ModelName = None,
    profile: Profile = None,
    threshold: Threshold = None,
    model_file: ModelFile = None,
    preset: Preset = None,
    in_flight: InFlight = None,
    calls: Calls = None,
) -> Flags:
    return {
        "engine": engine,
        "engine_server": engine_server,
        "model": model,
        "profile": profile,
        "threshold": None if threshold is None else f"{threshold:g}",
        "model_file": None if model_file is None else str(model_file),
        "preset": preset,
        "in_flight": in_flight,
        "calls": calls,
    }


def model_options(*, without: str = "") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command that takes these options where its own parameter ``flags`` stands.

    ``without``: all of them but that one.
    """
    known = inspect.signature(_options, eval_str=True).parameters
    taken = [one for name, one in known.items() if name != without]

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        parameters = [
            one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for each in own.parameters.values()
            for one in (taken if each.name == "flags" else (each,))
        ]

        @wraps(command)
        def run(**given: object) -> None:
            flags = _options(**{one.name: given.pop(one.name) for one in taken})  # type: ignore[arg-type]
            command(**given, flags=flags)

        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorated


def settings_with(flags: Flags) -> Settings:
    """The settings of the environment, with these flags over them."""
    return configure(environment=os.environ, flags=flags).settings


_ENGINE = frozenset({"engine", "engine_server", "model", "preset"})
USED: Mapping[str, frozenset[str]] = {
    "strad-ft": _ENGINE | {"profile", "threshold", "model_file", "in_flight"},
    "strad-zero": _ENGINE | {"threshold", "in_flight", "calls"},
}
"""What a describer makes use of, of the settings above. Any other uses none."""
USED_BY_TASK: Mapping[str, frozenset[str]] = {
    "document": _ENGINE,
    "segment": _ENGINE | {"profile", "model_file", "in_flight"},
}
"""What ``strad describe`` makes use of in these tasks, of what their describer does."""


def must_be_used(
    flags: Mapping[str, object], settings: Settings, describers: Collection[str], task: str = ""
) -> None:
    """Raises InputError where an option was given that would do nothing.

    ``describers``: as on the command line, ``scripted:FILE`` too. One of them must use it.
    """
    names = [spec.partition(":")[0] for spec in describers]
    used = frozenset[str]().union(*(USED.get(name, frozenset()) for name in names))
    if task in USED_BY_TASK:
        used = USED_BY_TASK[task] & used if names else USED_BY_TASK[task]
    for name in (n for n, value in flags.items() if value is not None and n not in used):
        fits = " or ".join(other for other, its in USED.items() if name in its)
        by_task = task in USED_BY_TASK and name not in USED_BY_TASK[task]
        what = f"--task {task}" if by_task else " and ".join(names)
        raise InputError(f"{_option(name)} does nothing with {what}: it is for streams by {fits}")
    engine = settings.engine or settings.preset
    if flags.get("engine_server") is not None and not engine.startswith(("openai:", "llama")):
        raise InputError(f"--engine-server is for openai:URL, not for {engine or 'no engine'}")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
