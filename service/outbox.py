"""The outbox: what a publisher is still to be told. Bounded; old progress gives way to new."""

from __future__ import annotations

import asyncio
from collections import deque

from strad.wire.answering import Answer, Progress

MOST = 64


class Outbox:
    """Put messages in, take them out in order, once."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._messages: deque[Answer] = deque()
        self._closed = False
        self._changed = asyncio.Event()

    def put(self, message: Answer) -> bool:
        """Add ``message``, if there is room; say whether there was.

        Progress right behind progress takes its place, and so always has room.
        """
        if self._closed:
            return False
        last = self._messages[-1] if self._messages else None
        if isinstance(message, Progress) and isinstance(last, Progress):
            self._messages.pop()
        elif len(self._messages) >= self._most:
            return False
        self._messages.append(message)
        self._changed.set()
        return True

    def close(self) -> None:
        """Nothing more is put: taking ends after what is already here."""
        self._closed = True
        self._changed.set()

    async def take(self) -> Answer | None:
        """The next message; None at the end."""
        while True:
            if self._messages:
                return self._messages.popleft()
            if self._closed:
                return None
            self._changed.clear()
            await self._changed.wait()
