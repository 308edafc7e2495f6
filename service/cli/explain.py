"""``strad explain``: what a description was made of, and why it is spoken where it is, or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli.terminal import clock, console, printable
from service.contact_sheet import Picture, write_sheet
from strad.counted import counted
from strad.errors import InputError
from strad.timeline import Interval, Ms, from_seconds, to_seconds
from streaming.recording.account import AROUND, Account, Wanted, account, find, why
from streaming.recording.reading import Recording

_TIME = re.compile(r"(?:(\d+):)?(?:(\d+):)?(\d+(?:\.\d+)?)s?$")

CELL: Ms = 500
"""Of the timeline."""


def explain(
    event: Annotated[
        str, typer.Argument(help="An event's id (ad-3), its number (3) or a time (1:02.5, 62.5s).")
    ],
    recording: Annotated[Path, typer.Option(help="The folder that was recorded to.")],
    dropped: Annotated[
        bool, typer.Option("--dropped", help="Among those that were not spoken: number or time.")
    ] = False,
    prompt: Annotated[bool, typer.Option("--prompt", help="Show the prompt too.")] = False,
    sheet: Annotated[
        Path | None, typer.Option(help="Write the pictures it was made from: .png or .html.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the sheet.")] = False,
) -> None:
    """Say what a description was made of and why it is spoken where it is, or not at all.

    **Examples**

        strad explain 3 --recording film.run

        strad explain 1:02 --recording film.run --dropped --sheet frames.html
    """
    known = Recording(recording)
    settled = find(known.lines(), _wanted(event, dropped=dropped))
    if settled is None:
        kind = "dropped description" if dropped else "description"
        raise InputError(f"{recording}: holds no {kind} {event!r}")
    found = account(known.lines(), settled, known.header.config.gaps)
    if as_json:
        typer.echo(json.dumps(found.json() | {"reason": why(found)}, indent=2, ensure_ascii=False))
    else:
        for line in told(found, known.header.describer, known.header.asked, prompt=prompt):
            typer.echo(printable(line) if line else "")
    if sheet is not None:
        pictures = [Picture(t, known.media.picture(name)) for t, name in found.frames]
        kept = [picture for picture in pictures if picture.jpeg]
        write_sheet(sheet, found.settled["text"], kept, overwrite=overwrite)
        console.print(f"{counted(len(kept), 'picture')}: {sheet}", markup=False, soft_wrap=True)


def _wanted(event: str, *, dropped: bool) -> Wanted:
    if event.isdecimal():
        named = None if dropped else f"ad-{int(event)}"
        return Wanted(number=int(event) if dropped else None, event=named, dropped=dropped)
    time = _TIME.match(event)
    if time is None:
        return Wanted(event=event, dropped=dropped)
    first, second, seconds = time.groups()
    parts = [float(part) for part in (first, second, seconds) if part is not None]
    total = sum(part * 60**power for power, part in enumerate(reversed(parts)))
    return Wanted(time=from_seconds(total), dropped=dropped)


def told(known: Account, model: str, asked: dict[str, Any], *, prompt: bool) -> Iterator[str]:
    """The account, line by line."""
    settled = known.settled
    named = settled["settled"] or f"dropped at {_clock(settled['at'])}: {settled['dropped']}"
    yield f"{named}  {settled['text']}"
    if settled["when"]:
        rate = f", {settled['rate']:g} times as fast" if settled["rate"] != 1 else ""
        yield f"spoken      {_span(settled['when'])}{rate}"
    yield f"describes   {_span(list(settled['describe']['when'].values()))}"
    if known.withdrawn:
        yield f"withdrawn   speech or a protected sound began at {_clock(known.withdrawn['at'])}"
    yield f"why         {why(known)}"
    yield ""
    yield from _decided(known, model, asked)
    yield ""
    yield from _timeline(known)
    if prompt:
        yield ""
        yield from _prompt(known)


def _decided(known: Account, model: str, asked: dict[str, Any]) -> Iterator[str]:
    yield f"decided by  {model}{_took(known)}"
    if known.odds is not None:
        threshold = asked.get("threshold")
        against = "" if threshold is None else f", threshold {threshold:g}"
        yield f"odds        {known.odds:+.2f} for describing (log-odds){against}"
    if known.ask:
        pictures = ", ".join(f"{to_seconds(t):g}" for t in known.ask["frames"]) or "none"
        yield f"window      {_span(known.ask['when'])}; pictures at {pictures} s"
        for fact in known.ask["facts"]:
            learned = _clock(fact["learned"])
            yield f"known       {fact['text']} ({fact['source']}, learned at {learned})"
    if known.said:
        yield f"heard       {known.said}"
    lengths = known.settled["lengths"] or [None] * len(known.settled["describe"]["forms"])
    for form, length in zip(known.settled["describe"]["forms"], lengths, strict=True):
        mark = "*" if form == known.settled["text"] and known.settled["settled"] else " "
        takes = "not measured" if length is None else f"{to_seconds(length):.1f} s"
        yield f"form      {mark} {takes}  {form}"
    for request in known.requests:
        if "answer" in request:
            yield f"answered    {request['answer']}"


def _took(known: Account) -> str:
    if not known.cost:
        return ""
    stages = ", ".join(f"{name} {seconds:.2f}" for name, seconds in known.cost["stages"])
    return f" in {known.cost['wall']:.2f} s ({stages})"


def _timeline(known: Account) -> Iterator[str]:
    """Half a second a letter: what is taken by speech, what is protected, and where it went."""
    around = known.when.widen(AROUND)
    around = Interval(max(0, around.start) // CELL * CELL, around.end)
    yield f"from {_clock(around.start)} to {_clock(around.end)}, half a second a letter"
    ground = known.settled["ground"] or {}
    placed = [known.settled["when"]] if known.settled["when"] else []
    about = known.settled["describe"]["when"]
    rows = {
        "speech": ("s", known.speech),
        "protected": ("p", known.protected),
        "free": ("-", ground.get("free", [])),
        "describes": ("d", [[about["start"], about["end"]]]),
        "spoken": ("A", placed),
    }
    for name, (letter, spans) in rows.items():
        cells = (
            letter if any(a < t + CELL and b > t for a, b in spans) else "."
            for t in range(around.start, around.end, CELL)
        )
        yield f"{name:<11} {''.join(cells)}"


def _prompt(known: Account) -> Iterator[str]:
    if not known.requests:
        yield "No model was asked, or its prompts were not recorded."
    for number, request in enumerate(known.requests, start=1):
        yield f"request {number}, to {request['engine']}"
        for message in request["messages"]:
            yield f"[{message['role']}]"
            for part in message["parts"]:
                ((kind, value),) = part.items()
                text = value if kind == "text" else f"({kind}: {value})"
                yield from str(text).splitlines()


def _clock(t: Ms) -> str:
    return clock(to_seconds(t))


def _span(span: list[Ms]) -> str:
    return f"{_clock(span[0])}-{_clock(span[1])}"
