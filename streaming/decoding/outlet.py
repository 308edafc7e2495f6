"""The outlet: what a decoding child says to its parent, over a pipe."""

from __future__ import annotations

from typing import BinaryIO

from strad.timeline import Ms
from streaming.decoding.messages import Message, pack
from streaming.media import MediaNotice


class Outlet:
    """The pipe to the parent."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._told: set[str] = set()

    def send(self, message: Message) -> None:
        """Waits while the parent reads nothing: that is the back-pressure."""
        self._pipe.write(pack(message))

    def flush(self) -> None:
        self._pipe.flush()

    def tell(self, code: str, t: Ms, text: str, count: int = 1) -> None:
        """A notice."""
        self.send(MediaNotice(code, t, text, count))

    def tell_once(self, code: str, t: Ms, text: str) -> None:
        """A notice, the first time its code comes up."""
        if code not in self._told:
            self._told.add(code)
            self.tell(code, t, text)
