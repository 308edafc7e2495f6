"""``strad flags``: what viewers of a stream flagged, shown, or exported for training."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from clients.python.address import StreamAddress
from clients.python.pulling import ask, open_http
from service.cli.key_hint import key_named
from service.cli.terminal import clock, console, printable, run
from strad.counted import counted
from strad.flag import FLAGS, FlaggedEvent
from strad.text_file import refuse_output, write_text

LIMIT = 60.0
"""Seconds the service has to answer."""


def flags(
    url: Annotated[str, typer.Argument(help="The stream, http://HOST:PORT/v1/streams/NAME.")],
    export: Annotated[
        Path | None, typer.Option(help="Write a file of flags (JSON lines) here; - for stdout.")
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="STRAD_TOKEN", help="An admin's key; better in STRAD_TOKEN.")
    ] = "",
) -> None:
    """Show what viewers flagged as wrong or late, or export it with what was said.

    Of the newest programme under that name. The file's format is in docs/formats.md.

    **Examples**

        strad flags http://127.0.0.1:8000/v1/streams/news

        strad flags --export news.flags.jsonl http://127.0.0.1:8000/v1/streams/news
    """
    if export is not None and str(export) != "-":
        refuse_output(export, overwrite=True)
    address = StreamAddress.parse(url, token)
    with key_named(address):
        text = run(_fetch(address))
    _, events = FLAGS.read(text.split("\n"), file=url)
    if export is None:
        for event in events:
            typer.echo(line(event))
    elif str(export) == "-":
        typer.echo(text, nl=False)
    else:
        write_text(export, text, overwrite=True)
    console.print(f"{counted(len(events), 'description')} flagged")


async def _fetch(address: StreamAddress) -> str:
    async with open_http(address) as http:
        return await ask(http, "GET", f"/v1/streams/{address.name}/flags.jsonl", LIMIT)


def line(event: FlaggedEvent) -> str:
    """One flagged description: when, how often as what, the text, and what was noted."""
    counted = Counter(str(flag.kind) for flag in event.flags)
    what = ", ".join(f"{kind} {count}" for kind, count in counted.items())
    notes = "".join(f" | {flag.note}" for flag in event.flags if flag.note)
    return printable(f"{clock(event.start)}-{clock(event.end)}  {what}: {event.text}{notes}")
