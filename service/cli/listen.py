"""``strad listen``: what is said on a stream, as it is said."""

from __future__ import annotations

from contextlib import aclosing
from typing import Annotated

import typer

from clients.python.address import StreamAddress
from clients.python.viewer import watch
from clients.terminal.speaker import SpeakerKind
from service.cli.key_hint import key_named, must_need_no_key
from service.cli.listen_aloud import Aloud, listen_aloud
from service.cli.listen_lines import tell
from service.cli.terminal import run
from strad.decision import Kind
from strad.errors import InputError
from strad.wire.asking import Extra, FormChoice, Wishes
from strad.wire.viewing import ViewerHello


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
    speak: Annotated[
        bool, typer.Option("--speak", help="Speak each in its gap, and take keys (h shows them).")
    ] = False,
    speaker: Annotated[
        SpeakerKind, typer.Option(help="With --speak: which program speaks.")
    ] = SpeakerKind.AUTO,
    rate: Annotated[int, typer.Option(help="With --speak: words a minute, 80 to 450.")] = 180,
    volume: Annotated[int, typer.Option(help="With --speak: 0 to 100.")] = 100,
    voice: Annotated[
        str, typer.Option(help="With --speak: a voice, as the program calls it.")
    ] = "",
    delay: Annotated[
        float | None,
        typer.Option(help="With --speak: seconds you watch behind the live edge.", min=0, max=120),
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="STRAD_TOKEN", help="The key; others see it less in STRAD_TOKEN.")
    ] = "",
) -> None:
    """Print what is said on a stream, from its beginning to its end.

    Waits for a stream that nobody publishes yet, but not for a service that is not there yet; of
    a stream that has ended, prints what was said and says that it has ended. A connection that
    breaks is made again, and nothing is missed or printed twice.

    With `--speak` each is spoken in its gap by speech-dispatcher or espeak-ng, never over dialogue;
    what has lost its time is dropped, and told. Every line is printed once, for screen readers.

    **Examples**

        strad listen http://127.0.0.1:8000/v1/streams/news

        strad listen --kind text --kind name --form short http://127.0.0.1:8000/v1/streams/news

        strad listen --jsonl http://127.0.0.1:8000/v1/streams/news > events.jsonl

        strad listen --speak --rate 260 --voice en-gb http://127.0.0.1:8000/v1/streams/news
    """
    wishes = Wishes(
        kinds=tuple(kind) if kind else None, form=form, extras=tuple(extra) if extra else ()
    )
    address = StreamAddress.parse(url, token)
    if speak and jsonl:
        raise InputError("--speak and --jsonl don't go together")
    with key_named(address):
        if speak:
            run(_aloud(address, wishes, Aloud(speaker, rate, volume, voice, delay)))
        else:
            run(listen_to(address, wishes, as_json=jsonl))


async def _aloud(address: StreamAddress, wishes: Wishes, aloud: Aloud) -> None:
    await must_need_no_key(address)
    await listen_aloud(address, wishes, aloud)


async def listen_to(address: StreamAddress, wishes: Wishes, *, as_json: bool) -> None:
    """Print what is said until it ends. Raises what ended it."""
    await must_need_no_key(address)
    async with aclosing(watch(address, wishes=wishes)) as messages:
        async for message in messages:
            if not as_json:
                tell(message)
            elif not isinstance(message, ViewerHello):
                typer.echo(message.to_json())
