"""``strad listen``: what is said on a stream, as it is said."""

from __future__ import annotations

from contextlib import aclosing
from typing import Annotated

import typer

from clients.python.address import StreamAddress
from clients.python.viewer import watch
from service.cli.terminal import clock, console, printable, run, summary_line
from strad.wire.answering import Error, Warning
from strad.wire.viewing import Ad, End, Logged, State, StreamState, ViewerHello, Withdraw


def listen(
    url: Annotated[str, typer.Argument(help="The stream, http://HOST:PORT/v1/streams/NAME.")],
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print the messages themselves, one a line.")
    ] = False,
) -> None:
    """Print what is said on a stream, from its beginning to its end.

    Waits for a stream that nobody publishes yet; of one that has ended, prints what was said and
    says that it has ended. A connection that breaks is made again, and nothing is missed or
    printed twice.

    **Examples**

        strad listen http://127.0.0.1:8000/v1/streams/news

        strad listen --jsonl http://127.0.0.1:8000/v1/streams/news > events.jsonl
    """
    run(_listen(StreamAddress.parse(url), as_json=jsonl))


async def _listen(address: StreamAddress, *, as_json: bool) -> None:
    async with aclosing(watch(address)) as messages:
        async for message in messages:
            if not as_json:
                tell(message)
            elif not isinstance(message, ViewerHello):
                typer.echo(message.to_json())


def tell(message: ViewerHello | Logged) -> None:
    """The message for a person: what is said to stdout, all else to stderr."""
    match message:
        case Ad():
            label = " (draft)" if message.draft else ""
            when = f"{clock(message.start)}-{clock(message.end)}"
            typer.echo(
                f"{when}  {printable(message.text)}{label}  [lag_emit {message.lag_emit:.1f} s]"
            )
        case Withdraw():
            typer.echo(f"{clock(message.at)}  withdrawn: {printable(message.id)}")
        case State():
            ended = message.state is StreamState.ENDED
            note("the stream has ended" if ended else f"the stream is {message.state}")
        case Warning():
            note(f"{clock(message.at)}: {message.message}")
        case End(summary=summary) if summary is not None:
            note(summary_line(summary))
        case ViewerHello():
            begin(message)
        case Error() | End():
            pass


def begin(hello: ViewerHello) -> None:
    """What there is to know of the stream before anything is said on it."""
    if hello.state is StreamState.ENDED:
        note(f"{hello.stream} has ended already; this was said on it:")
    elif hello.last == 0:
        note(f"{hello.stream}: {hello.state}")


def note(text: str) -> None:
    """A remark on stderr."""
    console.print(printable(text), style="dim", markup=False, soft_wrap=True)
