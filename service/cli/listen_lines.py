"""The lines that ``strad listen`` prints: what is said to stdout, all else to stderr."""

from __future__ import annotations

import typer

from clients.python.viewer import Told
from service.cli.terminal import clock, console, printable, summary_line
from strad.wire.answering import Warning
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
