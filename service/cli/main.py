"""``strad``: the commands, and how every one of them ends.

Exit codes: 0 done, 1 the work failed, 2 wrong usage or input, 130 stopped by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, NoReturn

import typer

from service.cli.demo import demo
from service.cli.describe import describe
from service.cli.doctor import doctor
from service.cli.explain import explain
from service.cli.flags import flags
from service.cli.keys import keys
from service.cli.listen import listen
from service.cli.measure import measure
from service.cli.push import push
from service.cli.rerun import rerun
from service.cli.serve import serve
from service.cli.terminal import printable
from strad.errors import StradError, WorkError

STDOUT = 1

COMMANDS: tuple[Callable[..., Any], ...] = (
    demo,
    describe,
    explain,
    rerun,
    serve,
    push,
    listen,
    flags,
    measure,
    doctor,
)
"""In the order ``strad --help`` shows them; a command is called what its function is called."""

app = typer.Typer(
    name="strad",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"strad {version('strad')}")
        except PackageNotFoundError:
            typer.echo("strad, run from a folder that is not installed")
        raise typer.Exit


@app.callback()
def strad(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Audio description of live media: what only the picture shows, said between the words.

    Try `strad COMMAND --help`: each shows examples.
    """


for _command in COMMANDS:
    app.command()(_command)
app.add_typer(keys, name="keys")


def main() -> None:
    """Run the command of the arguments, and exit. Every error is one line on stderr."""
    # What an engine is and does is printed by the commands; its log is for services that keep one.
    logging.getLogger("strad_engines").addHandler(logging.NullHandler())
    if sys.stdout is None:
        _keep_closed()
    try:
        app()
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
