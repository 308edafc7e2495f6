"""The guests: connections that are open by what they showed, woken when that holds no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

Holds: TypeAlias = Callable[[], bool]
Wake: TypeAlias = Callable[[], object]


class Guests:
    """One process's."""

    def __init__(self) -> None:
        self._here: dict[object, tuple[Holds, Wake]] = {}

    @contextmanager
    def staying(self, holds: Holds, wake: Wake) -> Iterator[None]:
        """``wake`` is called whenever it is seen that ``holds`` says no. It must not raise."""
        guest = object()
        self._here[guest] = holds, wake
        try:
            yield
        finally:
            del self._here[guest]

    def look(self) -> None:
        """Wake all whose credentials hold no longer."""
        for holds, wake in list(self._here.values()):
            if not holds():
                wake()
