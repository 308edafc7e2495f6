"""A pulled peer: what is fetched from a URL, as a publisher that speaks the protocol.

So a pulled stream is a published one in everything: limits, drain, log, errors. It finishes only
when all it sent has been played, since from then on the service waits no longer than a drain.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from service.inlet import Inlet
from service.pacing import at_play_speed
from service.peer import Peer
from strad.errors import PeerGoneError, StradError
from strad.timeline import Ms
from strad.wire.publishing import Finish, Hello, KeepAlive
from streaming.media import Media

HIGH_WATER = 512 * 1024
"""Bytes fetched ahead."""

PIECE = 32 * 1024
"""Bytes of one message: little enough to be played within any limit on silence."""


class PulledPeer(Peer):
    """Says hello, sends what ``fill`` brings, and finishes once it was played."""

    def __init__(self, hello: Hello, told: Callable[[str], None]) -> None:
        """``told``: hears the types of what the service says."""
        self.permit = None
        self._hello: Hello | None = hello
        self._told = told
        self._inlet = Inlet(HIGH_WATER, patience=24 * 3600.0)
        self._chunks = self._inlet.chunks()
        self._ahead = b""
        self._sent = 0
        self._all_sent = False
        self._played = asyncio.Event()
        self._finished = False
        self._closed = asyncio.Event()
        self.failure: StradError | None = None
        """What the service closed it with."""

    @property
    def address(self) -> str:
        """See ``Peer``."""
        return "pull"

    async def fill(self, chunks: AsyncIterator[bytes]) -> None:
        """Pass on all of ``chunks``. Raises what they raise."""
        try:
            async for chunk in chunks:
                for at in range(0, len(chunk), PIECE):
                    await self._inlet.push(chunk[at : at + PIECE])
        finally:
            self._inlet.finish()

    def finish(self) -> None:
        """Send no more, and wait for nothing."""
        self._inlet.finish()
        self._played.set()

    async def receive(self, limit: float | None) -> str | bytes | None:
        """See ``Peer``."""
        if self._hello is not None:
            hello, self._hello = self._hello, None
            return hello.to_json()
        if not self._all_sent:
            try:
                async with asyncio.timeout(limit):
                    return await self._piece()
            except TimeoutError:
                raise PeerGoneError(f"nothing was fetched for {limit:g} s") from None
        if not self._finished:
            return await self._finish(limit)
        await self._closed.wait()
        return None

    async def to_its_end(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """``chunks``, as they reach the decoder, ending with the last one that was fetched."""
        taken = 0
        async for chunk in chunks:
            yield chunk
            taken += len(chunk)
            if self._all_sent and taken >= self._sent:
                return

    async def played(self, media: AsyncIterator[Media], begins: Ms) -> AsyncIterator[Media]:
        """``media`` at the speed it plays; when it is over, this peer may finish."""
        async for item in at_play_speed(media, begins):
            yield item
        self._played.set()

    async def send(self, json_text: str, limit: float) -> None:
        """See ``Peer``."""
        del limit
        self._told(str(json.loads(json_text).get("type")))

    async def close(self, error: StradError | None = None) -> None:
        """See ``Peer``."""
        self.failure = self.failure or error
        self._closed.set()

    async def _piece(self) -> bytes | str:
        """The next piece. It is known of each whether it is the last: one is held back."""
        async for chunk in self._chunks:
            ready, self._ahead = self._ahead, chunk
            if ready:
                self._sent += len(ready)
                return ready
        self._all_sent = True
        self._sent += len(self._ahead)
        if not self._sent:
            self._played.set()
        return self._ahead or KeepAlive().to_json()

    async def _finish(self, limit: float | None) -> str:
        try:
            async with asyncio.timeout(None if limit is None else limit / 3):
                await self._played.wait()
        except TimeoutError:
            return KeepAlive().to_json()
        self._finished = True
        return Finish().to_json()
