"""``strad``: the commands, and how every one of them ends.

A command's file is imported once that command is asked for: who listens need not wait for all that
serving takes.

Exit codes: 0 done, 1 the work failed, 2 wrong usage or input, 130 stopped by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, NoReturn

import typer

from service.cli.terminal import printable
from strad.errors import StradError, WorkError

STDOUT = 1

COMMANDS = (
    "demo",
    "describe",
    "explain",
    "rerun",
    "serve",
    "push",
    "listen",
    "flags",
    "measure",
    "doctor",
    "keys",
)
"""In the order ``strad --help`` shows them. Each is a file here, and in it what is called so."""


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"strad {version('strad')}")
        except PackageNotFoundError:
            typer.echo("strad, run from a folder that is not installed")
        raise typer.Exit


def strad(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Audio description of live media: what only the picture shows, said between the words.

    Try `strad COMMAND --help`: each shows examples.
    """


def application(words: Sequence[str] = ()) -> typer.Typer:
    """The program: the command that ``words`` begin with; else, as for ``--help``, all of them."""
    app = typer.Typer(
        name="strad",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
    )
    app.callback()(strad)
    for name in [name for name in COMMANDS if [name] == list(words[:1])] or COMMANDS:
        command = getattr(import_module(f"service.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command()(command)
    return app


def main() -> None:
    """Run the command of the arguments, and exit. Every error is one line on stderr."""
    # What an engine is and does is printed by the commands; its log is for services that keep one.
    logging.getLogger("strad_engines").addHandler(logging.NullHandler())
    if sys.stdout is None:
        _keep_closed()
    try:
        application(sys.argv[1:])()
    except SystemExit as ended:
        _flush()
        raise ended from None
    except StradError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        # A full or closed output, a file that vanished: the system's own word for it.
        where = f"{error.filename}: " if error.filename else "output: "
        _no_output(f"{where}{(error.strerror or str(error)).lower()}")


def _keep_closed() -> None:
    """What is written to a stdout that was closed fails, as it would have; its number stays taken.

    Python would drop it without a word, and the next file or socket opened would be number 1.
    """
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, STDOUT)
    if nowhere != STDOUT:
        os.close(nowhere)
    sys.stdout = open(STDOUT, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _flush() -> None:
    """What is still buffered goes out here, where a failure has a line and an exit code."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        _no_output(f"output: {(error.strerror or str(error)).lower()}")


def _no_output(message: str) -> NoReturn:
    # The interpreter would flush once more at its end, and complain.
    sys.stdout = None
    _fail(message, WorkError.exit_code)


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"strad: {printable(message)}", err=True)
    sys.exit(code)
