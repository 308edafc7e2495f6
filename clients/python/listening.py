"""``listen``: what is said on a stream, as events, each once and in order."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeAlias

from clients.python.address import StreamAddress
from clients.python.viewer import PATIENCE, Place, Viewer
from strad.wire.asking import Wishes
from strad.wire.viewing import Aside, Logged, ViewerHello

Event: TypeAlias = Logged | Aside
"""``Ad``, ``Withdraw``, ``State``, ``Warning``, ``Error``, ``End``; and what a viewer wished for
beside them, ``Words`` and ``Gap``. Times are seconds of media."""


async def listen(
    url: str,
    *,
    token: str = "",
    wishes: Wishes | None = None,
    after: int = 0,
    log: str | None = None,
    patience: float = PATIENCE,
) -> AsyncGenerator[Event, None]:
    """Everything said on the stream at ``url``, ``End`` last.

    A stream that nobody publishes yet is waited for; of one that has ended, all that is kept is
    told. A connection that breaks is made again from where it broke, for ``patience`` seconds.
    ``after`` and ``log``: only what came after that ``seq`` of that log. Nothing is kept here: who
    takes too long to take an event is dropped by the service, and comes back for the rest.

    Raises InputError for an address that is none, the error that ended the stream, or
    PeerGoneError where no connection could be had.
    """
    viewer = Viewer(
        StreamAddress.parse(url, token), Place(after, log), wishes=wishes, patience=patience
    )
    async for event in events_of(viewer):
        yield event


async def events_of(viewer: Viewer) -> AsyncGenerator[Event, None]:
    """What a viewer is told, without the hello that begins each of its connections."""
    async with aclosing(viewer.messages()) as messages:
        async for message in messages:
            if not isinstance(message, ViewerHello):
                yield message
