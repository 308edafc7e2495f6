"""``strad serve``: the service on this machine."""

from __future__ import annotations

import logging
import os
import socket
from pathlib import Path
from typing import Annotated

import typer

from service.app import create_app
from service.cli.model_options import (
    NONE,
    Flags,
    model_options,
    must_be_used,
)
from service.cli.terminal import console, run
from service.configuration import configure
from service.connections import allow_open_files
from service.default_describer import default_describer
from service.eventlog.opening import open_event_log, retention_of
from service.loading import load_equipment
from service.operations.log_format import set_up_logging
from service.operations.tracing import Tracer, open_tracer, wanted
from service.security.gate import Gate
from service.server import check_reachable
from service.server import listen as open_socket
from service.server import serve as serve_app
from service.settings import Settings

logger = logging.getLogger(__name__)

HERE = Path("strad.toml")


@model_options()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="0 takes any that is free.")] = None,
    describer: Annotated[
        list[str] | None,
        typer.Option(
            help="facts, strad-zero, strad-ft or scripted:FILE; again for more. The first is the "
            "default. Without it: facts; with an engine strad-zero, or strad-ft for a model "
            "trained for it."
        ),
    ] = None,
    flags: Flags = NONE,
    delay: Annotated[
        float | None, typer.Option(help="Seconds that viewers play behind the live edge.")
    ] = None,
    asr: Annotated[
        str | None, typer.Option(help="The speech model, by name or folder; off for none.")
    ] = None,
    log_format: Annotated[
        str | None, typer.Option(help="What log lines are written as: text or json.")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            envvar="STRAD_CONFIG",
            help="The file of settings. Without it, strad.toml where there is one.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Print all settings and where each is from, then stop.")
    ] = False,
) -> None:
    """Take live media in and tell viewers its audio description.

    Without options it listens on http://127.0.0.1:8000 and describes with `facts`; with `--engine`
    and `--model` it asks that model.
    Every setting can be in `strad.toml` or the environment too: STRAD_PORT=9000.

    **Examples**

        strad serve

        strad serve --port 9000 --describer scripted:lines.jsonl --asr off

        strad serve --config strad.toml --check
    """
    default = (describer[0] if describer else "").partition(":")[0] or None
    configuration = configure(
        file=config or (HERE if HERE.exists() else None),
        environment=os.environ,
        flags={
            **flags,
            **{"host": host, "port": port, "delay": delay, "asr": asr, "describer": default},
            "log_format": log_format,
        },
    )
    settings = configuration.settings
    check_reachable(settings)
    describers = describer or [default_describer(settings)]
    must_be_used(flags, settings, describers)
    Gate(settings.auth)  # what is wrong with the keys is told before any model is loaded
    if check:
        typer.echo("\n".join(configuration.lines()))
        return
    set_up_logging(settings.log_format)
    allow_open_files()
    with open_socket(settings) as listener:
        run(_serve(settings, describers, listener))


async def _serve(settings: Settings, describers: list[str], listener: socket.socket) -> None:
    with open_tracer(wanted(settings.traces, os.environ)) as tracer:
        await _serve_traced(settings, describers, listener, tracer)


async def _serve_traced(
    settings: Settings, describers: list[str], listener: socket.socket, tracer: Tracer
) -> None:
    where, port = listener.getsockname()[:2]
    shown = f"[{where}]" if ":" in where else where
    async with (
        open_event_log(settings.log, retention_of(settings.limits)) as log,
        load_equipment(settings, describers) as equipment,
    ):
        for line in equipment.said:
            console.print(line, markup=False, soft_wrap=True)
        if not log.lasting:
            logger.info("the event log is in memory: a restart loses it; sqlite:PATH would keep it")
        app = create_app(settings, equipment, log, tracer)
        app.state.jobs.claim()
        console.print(f"strad serves on http://{shown}:{port} (Ctrl-C drains and stops)")
        await serve_app(app, settings, listener)
