"""What a vision tower made of pictures seen before, the least recently used let go first.

Not for threads: one worker owns it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Encoded = TypeVar("Encoded")


@dataclass(frozen=True, slots=True)
class CacheCounts:
    """What the cache did since it was made, and what it holds."""

    hits: int
    misses: int
    held_bytes: int


class VisionCache(Generic[Encoded]):
    """Encodings by key, ``most_bytes`` of them; 0 remembers nothing."""

    def __init__(self, most_bytes: int, size: Callable[[Encoded], int]) -> None:
        self._most = most_bytes
        self._size = size
        self._held: OrderedDict[Hashable, Encoded] = OrderedDict()
        self._bytes = self._hits = self._misses = 0

    def encoded(
        self, keys: Sequence[Hashable], encode: Callable[[Sequence[int]], list[Encoded]]
    ) -> list[Encoded]:
        """One encoding a key, in order; ``encode`` makes those of the given places.

        A key that comes twice is encoded once, also where nothing is remembered.
        """
        found = {key: self._held[key] for key in keys if key in self._held}
        missing = {key: place for place, key in enumerate(keys) if key not in found}
        self._hits += len(keys) - len(missing)
        self._misses += len(missing)
        made = encode(list(missing.values())) if missing else []
        found.update(zip(missing, made, strict=True))
        for key in keys:
            self._keep(key, found[key])
        return [found[key] for key in keys]

    def counts(self) -> CacheCounts:
        """See ``CacheCounts``."""
        return CacheCounts(self._hits, self._misses, self._bytes)

    def _keep(self, key: Hashable, encoding: Encoded) -> None:
        if key not in self._held:
            size = self._size(encoding)
            if size > self._most:
                return
            self._held[key] = encoding
            self._bytes += size
        self._held.move_to_end(key)
        while self._bytes > self._most:
            _, oldest = self._held.popitem(last=False)
            self._bytes -= self._size(oldest)
