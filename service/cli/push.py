"""``strad push``: a file, or one that is still being written, published as a live stream."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.status import Status

from clients.python.address import StreamAddress
from clients.python.pace import Pace
from clients.python.push import NeedsRemuxError, WholeFile, check_file
from clients.python.resuming import Source, publish_on
from clients.python.tail import read_file
from service.caption_files import read_captions
from service.cli.key_hint import key_named
from service.cli.push_captions import caption_messages
from service.cli.terminal import clock, console, printable, run, summary_line
from service.push_sources import RemuxedFile, WithCaptions
from strad.errors import InputError, NoMediaError, PeerGoneError, UnknownLogError
from strad.speech import GapSource, Protect
from strad.wire.answering import Answer, Draining, Error, Progress, Ready, Summary, Warning
from strad.wire.message import refusal
from strad.wire.publishing import Captions, Container, Hello, WordSource

STILL = 10.0


def push(
    media: Annotated[Path, typer.Argument(help="A media file.", metavar="INPUT")],
    to: Annotated[str, typer.Option(help="The stream, http://HOST:PORT/v1/streams/NAME.")],
    pace: Annotated[
        Pace, typer.Option(help="live: as fast as it plays. fast: as the service takes it.")
    ] = Pace.LIVE,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on while the file is still being written.")
    ] = False,
    still: Annotated[
        float | None,
        typer.Option(
            help="With --follow: seconds without growth that mean its end.",
            min=0,
            show_default=f"{STILL:g}",
        ),
    ] = None,
    captions: Annotated[
        Path | None, typer.Option(help="WebVTT or SRT, in place of speech recognition.")
    ] = None,
    describer: Annotated[str | None, typer.Option(help="One that the service offers.")] = None,
    delay: Annotated[
        float | None, typer.Option(help="Seconds that viewers play behind the live edge.")
    ] = None,
    gaps: Annotated[GapSource, typer.Option(help="What says where nobody speaks.")] = (
        GapSource.UNION
    ),
    language: Annotated[str, typer.Option(help="What is spoken, as in en or pt-BR.")] = "en",
    protect: Annotated[
        Protect,
        typer.Option(
            help="What no description covers beside speech: songs; or sounds, which are songs, "
            "swells, bangs and alarms too. Both take a delay of 8 seconds."
        ),
    ] = Protect.SPEECH,
    token: Annotated[
        str, typer.Option(envvar="STRAD_TOKEN", help="The key; others see it less in STRAD_TOKEN.")
    ] = "",
) -> None:
    """Publish a file as a live stream; the service describes it while it plays.

    The file's own bytes are sent where they can be decoded as they come; else, and to keep exact
    pace, its packets are copied into Matroska on the way. Nothing is encoded anew. With
    `--pace fast` the service skips what it has no time for. A lost connection is made again, and
    the stream goes on.

    **Examples**

        strad push film.mp4 --to http://127.0.0.1:8000/v1/streams/film

        strad push --follow recording.ts --to http://127.0.0.1:8000/v1/streams/news
    """
    if still is not None and not follow:
        raise InputError("--still goes with --follow")
    address = StreamAddress.parse(to, token)
    container, source = choose(media, pace, follow=follow, still=STILL if still is None else still)
    told: list[Captions] = []
    if captions is not None:
        told = list(caption_messages(read_captions(captions), captions))
    try:
        hello = Hello(
            container=container,
            language=language,
            delay=delay,
            describer=describer,
            gaps=gaps,
            transcript=WordSource.CAPTIONS if told else WordSource.LISTEN,
            protect=protect,
        )
    except ValidationError as error:
        raise InputError(f"--{refusal(error)}") from None
    try:
        with key_named(address):
            summary, shut_down = run(_push(address, hello, told, source))
    except UnknownLogError as lost:  # asked for nothing wrong: the stream is gone, with its service
        raise PeerGoneError(f"the service has lost the stream: {lost}") from None
    check_whole(summary, media, shut_down=shut_down)


def check_whole(summary: Summary, media: Path, *, shut_down: bool) -> None:
    """Raises PeerGoneError, NoMediaError when a stream that ended well isn't what was asked for."""
    if shut_down:
        raise PeerGoneError(
            f"the service shut down: it took no more than {clock(summary.live_edge)} of {media}"
        )
    if not summary.live_edge:
        raise NoMediaError(f"{media}: the service found nothing in it that can be decoded")


def choose(media: Path, pace: Pace, *, follow: bool, still: float) -> tuple[Container, Source]:
    """How the file travels: as it is, or copied into Matroska. Raises InputError."""
    try:
        container = check_file(media, growing=follow)
    except NeedsRemuxError:
        if follow:
            raise
        return Container.MATROSKA, RemuxedFile(media, pace)
    if follow:
        tail = partial(read_file, media, follow=True, still=still)
        return container, WholeFile(container, tail)
    if pace is Pace.LIVE:
        return Container.MATROSKA, RemuxedFile(media, pace)
    return container, WholeFile(container, partial(read_file, media))


async def _push(
    address: StreamAddress, hello: Hello, told: list[Captions], source: Source
) -> tuple[Summary, bool]:
    """What came of it, and whether the service shut down before the end."""
    everything = WithCaptions(source, told)
    connections = 0
    shut_down = False

    def hear(answer: Answer) -> None:
        nonlocal shut_down, connections
        everything.hear(answer)
        if isinstance(answer, Ready):
            connections, shut_down = connections + 1, False
            if connections > 1:
                console.print(f"connected again at {clock(answer.live_edge)}")
        if isinstance(answer, Draining) and answer.resume is None:
            shut_down = shut_down or answer.reason == "shutdown"
        show(answer, status)

    with console.status("connecting") as status:
        summary = await publish_on(address, hello, everything, hear)
    console.print(summary_line(summary), markup=False, soft_wrap=True)
    return summary, shut_down


def show(answer: Answer, status: Status) -> None:
    """Keep the status line up to date; print what a person should know."""
    match answer:
        case Progress():
            behind = f"{answer.behind:.1f} s behind"
            status.update(f"{clock(answer.live_edge)} of media, {behind}")
        case Warning():
            console.print(
                f"{clock(answer.at)}: {printable(answer.message)}", markup=False, soft_wrap=True
            )
        case Error():
            again = "" if answer.retry_after is None else f" ({answer.retry_after:.0f} s)"
            status.update(printable(f"waiting for room{again}: {answer.message}"))
        case _:
            pass
