"""A viewing: one viewer's place in a stream's log, whatever it is told through."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn, Protocol

from service.preferences import Preferences
from service.stream import Stream
from strad.errors import cause_of
from strad.wire.asking import Extra, Wishes
from strad.wire.viewing import End, Gap, ViewerHello


class Outlet(Protocol):
    """What a viewer is told through."""

    async def send(self, json: str, seq: int | None = None) -> None:
        """One message; ``seq`` is its number in the log, where it has one.

        Raises PeerGoneError, OverloadedError when the viewer takes nothing for too long.
        """
        ...


class Viewing:
    """Lives as long as ``run``."""

    def __init__(
        self, stream: Stream, outlet: Outlet, wishes: Wishes, *, audio: bool = False
    ) -> None:
        """``audio``: whether the service offers descriptions as sound."""
        self._audio = audio
        self._stream = stream
        self._outlet = outlet
        self.preferences = Preferences(wishes)
        self._tasks: asyncio.TaskGroup | None = None
        self._aside: asyncio.Task[None] | None = None

    async def run(
        self, after: int, log: str | None, beside: Callable[[], Awaitable[NoReturn]]
    ) -> None:
        """Tell everything after message ``after`` of the log called ``log``, until the end.

        Another log starts at its beginning. ``beside`` runs meanwhile, and raises when the viewer
        is gone. Raises what it raises, and what the outlet does.
        """
        known = self._stream.log
        try:
            async with asyncio.TaskGroup() as tasks:
                self._tasks = tasks
                listening = tasks.create_task(_never_ending(beside))
                await self._outlet.send(self._hello())
                self.wish(self.preferences.wishes)
                await self._tell(after if log in (known.name, None) else 0)
                listening.cancel()
                if self._aside is not None:
                    self._aside.cancel()
        except BaseExceptionGroup as group:
            raise cause_of(group) from None
        finally:
            self._tasks = None

    def wish(self, wishes: Wishes) -> None:
        """From the next message on, tell it what it wishes now."""
        self.preferences.wishes = wishes
        if self._aside is not None and not wishes.extras:
            self._aside.cancel()
            self._aside = None
        elif self._aside is None and wishes.extras and self._tasks is not None:
            self._aside = self._tasks.create_task(self._tell_asides())

    async def _tell(self, place: int) -> None:
        log = self._stream.log
        while not (self._stream.over and place >= log.last):
            if not await log.wait(place):
                return
            for entry in await log.read(place):
                place = entry.seq
                json = self.preferences.told(entry)
                if json is not None:
                    await self._outlet.send(json, entry.seq)
                if isinstance(entry.message, End):
                    return

    async def _tell_asides(self) -> None:
        asides = self._stream.asides
        place = asides.last
        while True:
            new = await asides.after(place)
            place = asides.last
            for aside in new:
                extra = Extra.GAPS if isinstance(aside, Gap) else Extra.TRANSCRIPT
                if self.preferences.wishes_for(extra):
                    await self._outlet.send(aside.to_json())

    def _hello(self) -> str:
        stream = self._stream
        return ViewerHello(
            stream=stream.name,
            log=stream.log.name,
            state=stream.state,
            last=stream.log.last,
            about=stream.about,
            audio=self._audio,
        ).to_json()


async def _never_ending(beside: Callable[[], Awaitable[NoReturn]]) -> None:
    await beside()
