"""``describe``: media in, events out; published to a service and listened to, in one loop."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from pydantic import ValidationError

from clients.python.address import StreamAddress
from clients.python.course import Course
from clients.python.given_bytes import GivenBytes
from clients.python.listening import Event, events_of
from clients.python.outcome import alone, outcome
from clients.python.pace import Pace
from clients.python.pulling import pull
from clients.python.push import check_file
from clients.python.sending import send_bytes, send_file
from clients.python.viewer import Viewer
from strad.errors import InputError
from strad.wire.asking import Wishes
from strad.wire.message import refusal
from strad.wire.publishing import Container, Hello

HERE = "http://127.0.0.1:8000"
"""Where ``strad serve`` serves, if not told otherwise."""

AHEAD = 100
"""Events that wait for whoever iterates. Further ones stay with the service."""

LAST_WORDS = 10.0
"""Seconds in which the other side of a stream may end by itself, once one has."""

Media: TypeAlias = Path | str | AsyncIterable[bytes]
Failure: TypeAlias = BaseException | None


class Work(Protocol):
    """Publishes, and says so once the stream has begun."""

    def __call__(self, course: Course) -> Coroutine[Any, Any, None]: ...


async def describe(
    source: Media,
    to: str = HERE,
    *,
    token: str = "",
    language: str = "en",
    delay: float | None = None,
    describer: str | None = None,
    container: Container | None = None,
    pace: Pace = Pace.LIVE,
    wishes: Wishes | None = None,
) -> AsyncGenerator[Event, None]:
    """Publish ``source`` to a service, and what is said on it as it is said, ``End`` last.

    ``source``: a media file; an ``http`` or ``https`` URL, which the service fetches itself; or the
    bytes of a container, in any cut, which are sent as they come. ``to``: a stream's URL, or only
    the service's; the stream then gets a random name. ``delay``: seconds that viewers play behind
    the live edge. ``container``: of bytes; else their beginning tells. ``pace``: of a file; with
    ``fast`` the service passes over what it has no time for.

    Both connections are made again where they are lost, and go on: every event comes once and in
    order; bytes up to 64 MiB. Who stops to iterate ends the stream: at once with ``aclosing``.
    Raises InputError before anything is sent, what the giver of bytes raises, or what ended it.
    """
    address = address_of(to, token)
    hello = _hello(container, language=language, delay=delay, describer=describer)
    work = _work(source, address, hello, pace, container)
    events: asyncio.Queue[Event | None] = asyncio.Queue(AHEAD)
    viewer = Viewer(address, wishes=wishes)
    try:
        async with asyncio.TaskGroup() as tasks:
            whole = tasks.create_task(_publish_and_watch(work, viewer, events))
            while (event := await events.get()) is not None:
                yield event
            failure = await whole
    except BaseExceptionGroup as group:
        raise alone(group) from None  # such as GeneratorExit, where the iterator is closed
    if failure is not None:
        raise failure


def address_of(to: str, token: str = "") -> StreamAddress:
    """The stream at ``to``; a new one of the service where it names none. Raises InputError."""
    try:
        bare = urlsplit(to).path in ("", "/")
    except ValueError:
        bare = False
    named = f"{to.rstrip('/')}/v1/streams/described-{secrets.token_hex(6)}" if bare else to
    return StreamAddress.parse(named, token)


def _hello(container: Container | None, **options: Any) -> Hello:  # noqa: ANN401 - pydantic judges
    try:
        return Hello(container=container or Container.WEBM, **options)
    except ValidationError as error:
        raise InputError(str(refusal(error))) from None


def _work(
    source: Media, address: StreamAddress, hello: Hello, pace: Pace, named: Container | None
) -> Work:
    if isinstance(source, str) and urlsplit(source).scheme in ("http", "https"):
        return partial(pull, address, source, hello)
    if isinstance(source, Path | str):
        path = Path(source)
        found = hello.model_copy(update={"container": check_file(path)})
        return partial(send_file, path, address, found, pace)
    return partial(send_bytes, GivenBytes(source, named), address, hello)


async def _publish_and_watch(
    work: Work, viewer: Viewer, events: asyncio.Queue[Event | None]
) -> Failure:
    """Both at once, until both are over; what failed first. The queue's last is None."""
    course = Course()
    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(outcome(work(course)))
        watching = tasks.create_task(outcome(_watch(viewer, course, events)))
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        failures = [task.result() for task in (working, watching) if task.done()]
        if watching.done():
            failures.append(await _within(0 if failures[0] else LAST_WORDS, working))
        elif failures[0] is None:
            failures.append(await watching)
        else:
            failures.append(await _within(LAST_WORDS if course.began.is_set() else 0, watching))
    await events.put(None)
    return next((failure for failure in failures if failure is not None), None)


async def _within(seconds: float, task: Awaitable[Failure]) -> Failure:
    """The task's result, if it has one by then; else it is cancelled."""
    try:
        async with asyncio.timeout(seconds):
            return await task
    except TimeoutError:
        return None


async def _watch(viewer: Viewer, course: Course, events: asyncio.Queue[Event | None]) -> None:
    await course.began.wait()
    async for event in events_of(viewer):
        await events.put(event)
    course.over.set()
