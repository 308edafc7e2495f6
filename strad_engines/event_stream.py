"""Server-sent events: a stream of bytes, cut anywhere, as the data of each event.

Source: the HTML standard, 9.2.6, as far as chat servers use it: ``data`` lines, no others.
"""

from __future__ import annotations

from collections.abc import Iterator


class EventStream:
    """Holds what has not yet come to its end; the caller bounds how much that may be."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []

    def feed(self, block: bytes) -> Iterator[bytes]:
        """The data of each event that ends in ``block``."""
        *ended, rest = block.split(b"\n")
        for part in ended:
            line = (bytes(self._line) + part).removesuffix(b"\r")
            self._line.clear()
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                data, self._data = b"\n".join(self._data), []
                yield data
        self._line += rest
