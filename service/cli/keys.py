"""``strad keys``: API keys for the service, made, listed and revoked in its file of keys."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.cli.terminal import console, printable
from service.security.calendar import now
from service.security.caller import Scope, check_patterns
from service.security.keys import KeyRecord, new_key, read_keys, write_keys
from strad.errors import InputError

File = Annotated[
    Path, typer.Option("--file", envvar="STRAD_AUTH_KEYS", help="The file of keys (auth.keys).")
]
KEYS = Path("keys.json")
WIDE = 2_000
"""Characters of a line that no terminal shows: a program takes it whole."""

keys = typer.Typer(no_args_is_help=True, help="Make, list and revoke API keys of the service.")


@keys.command()
def new(
    scope: Annotated[list[Scope], typer.Option(help="What it may do; again for more.")],
    stream: Annotated[
        list[str] | None, typer.Option(help="Which streams, such as news-*; again for more.")
    ] = None,
    name: Annotated[str, typer.Option(help="A word for people: whose it is.")] = "",
    days: Annotated[
        float | None, typer.Option(help="How long it holds; else until revoked.", min=0)
    ] = None,
    file: File = KEYS,
) -> None:
    """Make a key and print it, once: the file holds only its hash.

    A running service takes it within a second.

    **Example**

        strad keys new --scope publish --stream "news-*" --name studio
    """
    if len(name) > 100:
        raise InputError("--name has at most 100 characters")
    expires = None if days is None else now() + timedelta(days=days)
    patterns = check_patterns(stream or ["*"])
    key, record = new_key(scope, patterns, name=name, expires=expires)
    known = read_keys(file) if file.exists() else ()
    write_keys(file, [*known, record])
    console.print(f"key {record.id}; it is shown this once:")
    typer.echo(key)


@keys.command("list")
def listed(file: File = KEYS) -> None:
    """List the keys: who, what for, since when. The keys themselves are known to nobody."""
    table = Table("id", "name", "scopes", "streams", "created", "expires", box=None)
    for record in read_keys(file):
        table.add_row(*(Text(cell) for cell in _cells(record)))
    wide = None if sys.stdout.isatty() else WIDE
    Console(highlight=False, emoji=False, width=wide).print(table)


@keys.command()
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As strad keys list shows it.")],
    file: File = KEYS,
) -> None:
    """Revoke a key. A running service lets nobody in with it any more within a second.

    Connections that came with it are closed when they next send or are told something.
    """
    known = read_keys(file)
    left = [record for record in known if record.id != key_id]
    if len(left) == len(known):
        raise InputError(f"{file}: no key {key_id!r}")
    write_keys(file, left)
    console.print(f"key {printable(key_id)} is revoked")


def _cells(record: KeyRecord) -> tuple[str, ...]:
    return (
        record.id,
        printable(record.name),
        " ".join(record.scopes),
        " ".join(record.streams),
        f"{record.created:%Y-%m-%d}",
        f"{record.expires:%Y-%m-%d %H:%M}" if record.expires else "never",
    )
