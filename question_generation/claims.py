"""Who asks for what just now: the same is asked for by one at a time, others wait for it."""

from __future__ import annotations

import asyncio


class Claims:
    """By key. Belongs to one event loop; whoever takes one must give it back."""

    def __init__(self) -> None:
        self._taken: dict[bytes, asyncio.Event] = {}

    async def wait(self, key: bytes) -> bool:
        """Until nobody holds it, which whoever holds it bounds; whether somebody did."""
        held = self._taken.get(key)
        if held is None:
            return False
        await held.wait()
        return True

    def take(self, key: bytes) -> None:
        """Only where nobody holds it."""
        assert key not in self._taken
        self._taken[key] = asyncio.Event()

    def give_back(self, key: bytes) -> None:
        """Those who wait go on in the order they came."""
        self._taken.pop(key).set()
