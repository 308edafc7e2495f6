"""Rates: how often each caller may ask, by a token bucket, and how much it has open at once."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from service.security.caller import Caller, Scope
from strad.errors import RateLimitError

BURST = 2.0
"""So many seconds' worth of requests may come at once."""

MOST_CALLERS = 10_000
"""How many buckets are kept; the one longest unused goes first."""


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float


class Rates:
    """One process's count of what its callers do."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._open: dict[tuple[str, Scope], Counter[str]] = {}
        """How many connections each has, by stream."""

    def take(self, caller: Caller) -> None:
        """Count one request. Raises RateLimitError, saying when to come again."""
        now, rate = asyncio.get_running_loop().time(), caller.quota.requests
        most = max(1.0, BURST * rate)
        bucket = self._buckets.setdefault(caller.id, _Bucket(most, now))
        self._buckets.move_to_end(caller.id)
        bucket.level = min(most, bucket.level + (now - bucket.at) * rate)
        bucket.at = now
        if bucket.level < 1.0:
            wait = (1.0 - bucket.level) / rate
            raise RateLimitError(f"more than {rate:g} requests a second", retry_after=wait)
        bucket.level -= 1.0
        if len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)

    @contextmanager
    def holding(self, caller: Caller, scope: Scope, stream: str) -> Iterator[None]:
        """One stream or viewer more, while the block lasts. Raises RateLimitError.

        A stream counts once, though its publisher comes back while its first connection is held.
        """
        publishes = scope is Scope.PUBLISH
        most = caller.quota.streams if publishes else caller.quota.viewers
        held = self._open.setdefault((caller.id, scope), Counter())
        taken = len(held.keys() - {stream}) if publishes else held.total()
        if taken >= most:
            what = "streams" if publishes else "viewers"
            raise RateLimitError(f"this key or token has {most} {what} at once", retry_after=5.0)
        held[stream] += 1
        try:
            yield
        finally:
            held[stream] -= 1
            if not held[stream]:
                del held[stream]
            if not held:
                self._open.pop((caller.id, scope), None)
