"""``strad push``: a file, or one that is still being written, published as a live stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.status import Status

from clients.python.address import StreamAddress
from clients.python.pace import Pace
from clients.python.publisher import Control, publish
from clients.python.push import NeedsRemuxError, check_file
from clients.python.tail import read_file
from service.caption_files import read_captions
from service.cli.terminal import clock, console, printable, run, summary_line
from service.remux import remuxed
from strad.cues import Cue
from strad.errors import InputError
from strad.speech import GapSource
from strad.timeline import to_seconds
from strad.wire.answering import Answer, Error, Progress, Warning
from strad.wire.message import MAX_SECONDS, refusal
from strad.wire.publishing import (
    MAX_CAPTIONS,
    CaptionCue,
    Captions,
    Container,
    Hello,
    WordSource,
)


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
        float, typer.Option(help="With --follow: seconds without growth that mean its end.", min=0)
    ] = 10.0,
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
) -> None:
    """Publish a file as a live stream; the service describes it while it plays.

    The file's own bytes are sent where they can be decoded as they come; else, and to keep exact
    pace, its packets are copied into Matroska on the way. Nothing is encoded anew. With
    `--pace fast` the service skips what it has no time for.

    **Examples**

        strad push film.mp4 --to http://127.0.0.1:8000/v1/streams/film

        strad push --follow recording.ts --to http://127.0.0.1:8000/v1/streams/news
    """
    address = StreamAddress.parse(to)
    container, source = choose(media, pace, follow=follow, still=still)
    cues = read_captions(captions) if captions is not None else None
    transcript = WordSource.LISTEN if cues is None else WordSource.CAPTIONS
    try:
        hello = Hello(
            container=container,
            language=language,
            delay=delay,
            describer=describer,
            gaps=gaps,
            transcript=transcript,
        )
    except ValidationError as error:
        raise InputError(f"--{refusal(error)}") from None
    run(_push(address, hello, cues or [], source))


def choose(
    media: Path, pace: Pace, *, follow: bool, still: float
) -> tuple[Container, AsyncIterator[bytes]]:
    """How the file travels: as it is, or copied into Matroska. Raises InputError."""
    try:
        container = check_file(media, growing=follow)
    except NeedsRemuxError:
        if follow:
            raise
        return Container.MATROSKA, remuxed(media, pace)
    if follow:
        return container, read_file(media, follow=True, still=still)
    if pace is Pace.LIVE:
        return Container.MATROSKA, remuxed(media, pace)
    return container, read_file(media)


def caption_messages(cues: list[Cue]) -> Iterator[Captions]:
    """All the cues, in as many messages as that takes; the last says that no more will come."""
    left = iter(cues)
    batch = list(islice(left, MAX_CAPTIONS))
    while True:
        following = list(islice(left, MAX_CAPTIONS))
        until = to_seconds(following[0].when.start) if following else MAX_SECONDS
        yield Captions(cues=tuple(map(_caption, batch)), until=until)
        if not following:
            return
        batch = following


def _caption(cue: Cue) -> CaptionCue:
    start, end = to_seconds(cue.when.start), to_seconds(cue.when.end)
    return CaptionCue(start=start, end=end, text=cue.text[:4_000])


async def _push(
    address: StreamAddress, hello: Hello, cues: list[Cue], source: AsyncIterator[bytes]
) -> None:
    async def everything() -> AsyncIterator[bytes | Control]:
        if hello.transcript is WordSource.CAPTIONS:
            for message in caption_messages(cues):
                yield message
        async for chunk in source:
            yield chunk

    with console.status("connecting") as status:
        summary = await publish(address, hello, everything(), lambda answer: show(answer, status))
    console.print(summary_line(summary), markup=False, soft_wrap=True)


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
            console.print(f"refused: {printable(answer.message)}", markup=False, soft_wrap=True)
        case _:
            pass
