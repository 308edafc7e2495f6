"""``strad``: the commands, and how every one of them ends.

Exit codes: 0 done, 1 the work failed, 2 wrong usage or input, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import typer

from service.cli.demo import demo
from service.cli.describe import describe
from service.cli.doctor import doctor
from service.cli.listen import listen
from service.cli.push import push
from service.cli.serve import serve
from service.cli.terminal import printable
from strad.errors import StradError

COMMANDS: tuple[Callable[..., Any], ...] = (demo, describe, serve, push, listen, doctor)
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


def main() -> None:
    """The entry point. Every error is one line on stderr."""
    try:
        app()
    except StradError as error:
        typer.echo(f"strad: {printable(str(error))}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
