"""``strad listen``: what is said on a stream, as it is said."""

from __future__ import annotations

from contextlib import aclosing
from typing import Annotated

import typer

from clients.python.address import StreamAddress
from clients.python.viewer import Told, watch
from service.cli.terminal import clock, console, printable, run, summary_line
from strad.decision import Kind
from strad.wire.answering import Warning
from strad.wire.asking import Extra, FormChoice, Wishes
from strad.wire.viewing import (
    Ad,
    End,
    Gap,
    State,
    StreamState,
    ViewerHello,
    Withdraw,
    Words,
)


def listen(
    url: Annotated[str, typer.Argument(help="The stream, http://HOST:PORT/v1/streams/NAME.")],
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print the messages themselves, one a line.")
    ] = False,
    kind: Annotated[
        list[Kind] | None, typer.Option(help="Only descriptions of this kind; may be repeated.")
    ] = None,
    form: Annotated[
        FormChoice, typer.Option(help="Which length of a description, where several fit.")
    ] = FormChoice.PLACED,
    extra: Annotated[
        list[Extra] | None, typer.Option(help="Tell this too, as it happens; may be repeated.")
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="STRAD_TOKEN", help="The key; others see it less in STRAD_TOKEN.")
    ] = "",
) -> None:
    """Print what is said on a stream, from its beginning to its end.

    Waits for a stream that nobody publishes yet; of one that has ended, prints what was said and
    says that it has ended. A connection that breaks is made again, and nothing is missed or
    printed twice.

    **Examples**

        strad listen http://127.0.0.1:8000/v1/streams/news

        strad listen --kind text --kind name --form short http://127.0.0.1:8000/v1/streams/news

        strad listen --jsonl http://127.0.0.1:8000/v1/streams/news > events.jsonl
    """
    wishes = Wishes(
        kinds=tuple(kind) if kind else None, form=form, extras=tuple(extra) if extra else ()
    )
    run(_listen(StreamAddress.parse(url, token), wishes, as_json=jsonl))


async def _listen(address: StreamAddress, wishes: Wishes, *, as_json: bool) -> None:
    async with aclosing(watch(address, wishes=wishes)) as messages:
        async for message in messages:
            if not as_json:
                tell(message)
            elif not isinstance(message, ViewerHello):
                typer.echo(message.to_json())


def tell(message: Told) -> None:
    """The message for a person: what is said to stdout, all else to stderr."""
    match message:
        case Ad() | Withdraw():
            typer.echo(said_line(message))
        case ViewerHello():
            begin(message)
        case Words() | Gap():
            note(aside_line(message))
        case State():
            ended = message.state is StreamState.ENDED
            note("the stream has ended" if ended else f"the stream is {message.state}")
        case Warning():
            note(f"{clock(message.at)}: {message.message}")
        case End(summary=summary) if summary is not None:
            note(summary_line(summary))
        case _:
            pass


def said_line(message: Ad | Withdraw) -> str:
    """What is said, when and how late; or that it is taken back."""
    if isinstance(message, Withdraw):
        return f"{clock(message.at)}  withdrawn: {printable(message.id)}"
    label = " (draft)" if message.draft else ""
    when = f"{clock(message.start)}-{clock(message.end)}"
    return f"{when}  {printable(message.text)}{label}  [lag_emit {message.lag_emit:.1f} s]"


def aside_line(message: Words | Gap) -> str:
    """Words as the programme says them; a gap's beginning, or its whole span."""
    if isinstance(message, Words):
        return f"{clock(message.words[0].start)}  {' '.join(w.text for w in message.words)}"
    if message.end is None:
        return f"{clock(message.start)}-  a gap begins"
    return f"{clock(message.start)}-{clock(message.end)}  a gap"


def begin(hello: ViewerHello) -> None:
    """What there is to know of the stream before anything is said on it."""
    if hello.state is StreamState.ENDED:
        note(f"{hello.stream} has ended already; this was said on it:")
    elif hello.last == 0:
        note(f"{hello.stream}: {hello.state}")


def note(text: str) -> None:
    """A remark on stderr."""
    console.print(printable(text), style="dim", markup=False, soft_wrap=True)
