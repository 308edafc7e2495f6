"""A showing: one clip through a real server on loopback, published and watched over WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import TypeAlias

from clients.python.address import StreamAddress
from clients.python.publisher import Hear
from clients.python.resuming import Source, publish_on
from clients.python.viewer import Told, watch
from service.app import create_app
from service.equipment import Equipment
from service.server import listen, make_server
from service.settings import Auth, Settings
from strad.cues import Cue
from strad.errors import cause_of
from strad.webvtt import draft_note, write_webvtt
from strad.wire.answering import Summary
from strad.wire.publishing import Container, Hello
from strad.wire.viewing import Ad, Withdraw

Tell: TypeAlias = Callable[[Told], None]

LAST_WORDS = 10.0
"""Seconds the viewer gets to hear the end, once the publisher has its summary."""


class Showing:
    """Holds what was said, however the showing ends."""

    def __init__(self, equipment: Equipment, settings: Settings, *, name: str, tell: Tell) -> None:
        self._equipment = equipment
        # It serves itself, on this machine: nobody else comes in, whatever the environment sets.
        self._settings = replace(settings, host="127.0.0.1", auth=Auth())
        self._name = name
        self._tell = tell
        self._said: dict[str, Ad] = {}
        self.summary: Summary | None = None

    async def run(self, container: Container, media: Source, hear: Hear) -> None:
        """Publish ``media`` and watch it to the end. Raises the error that ended the stream."""
        try:
            async with self._server() as address, asyncio.TaskGroup() as tasks:
                watching = tasks.create_task(self._watch(address))
                self.summary = await publish_on(address, Hello(container=container), media, hear)
                await asyncio.wait([watching], timeout=LAST_WORDS)
                watching.cancel()
        except BaseExceptionGroup as group:
            raise cause_of(group) from None

    def cues(self) -> list[Cue]:
        """What was said and not withdrawn, by start."""
        return [ad.cue() for ad in sorted(self._said.values(), key=lambda ad: (ad.start, ad.seq))]

    def webvtt(self, *, incomplete: bool) -> str:
        """The same as a WebVTT file, labelled a draft where it is one."""
        ads = self._said.values()
        notes = [draft_note(ad.describer) for ad in list(ads)[:1] if ad.draft]
        notes += ["Incomplete: it was stopped."] if incomplete else []
        return write_webvtt(self.cues(), notes=notes)

    async def _watch(self, address: StreamAddress) -> None:
        async with aclosing(watch(address)) as messages:
            async for message in messages:
                if isinstance(message, Ad):
                    self._said[message.id] = message
                if isinstance(message, Withdraw):
                    self._said.pop(message.id, None)
                self._tell(message)

    @asynccontextmanager
    async def _server(self) -> AsyncIterator[StreamAddress]:
        app = create_app(self._settings, self._equipment)
        with listen(self._settings) as listener:
            server = make_server(app, self._settings)
            host, port = listener.getsockname()[:2]
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(server.serve_until_asked(listener))
                try:
                    yield StreamAddress.parse(f"http://{host}:{port}/v1/streams/{self._name}")
                finally:
                    server.ask_to_stop()
