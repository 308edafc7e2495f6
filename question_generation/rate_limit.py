"""No more requests and tokens a minute than a server allows, evenly spread."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

MINUTE_S = 60.0


@dataclass(slots=True)
class RateLimit:
    """One server's limits; None is none. Belongs to one event loop."""

    requests: float | None = None
    """A minute."""
    tokens: float | None = None
    """A minute, of prompts and answers together."""
    _requests_free_at: float = 0.0
    _tokens_free_at: float = 0.0

    @property
    def is_limit(self) -> bool:
        """Whether there is any."""
        return self.requests is not None or self.tokens is not None

    async def turn(self, tokens: int) -> None:
        """Wait until a request of about so many tokens may be sent."""
        now = asyncio.get_running_loop().time()
        at = max(now, self._requests_free_at, self._tokens_free_at)
        if self.requests is not None:
            self._requests_free_at = at + MINUTE_S / self.requests
        self.spent(tokens, at)
        if at > now:
            await asyncio.sleep(at - now)

    def spent(self, tokens: int, at: float | None = None) -> None:
        """So many tokens more (or fewer) than were reserved."""
        if self.tokens is not None:
            begin = max(at, self._tokens_free_at) if at is not None else self._tokens_free_at
            self._tokens_free_at = begin + tokens * MINUTE_S / self.tokens
