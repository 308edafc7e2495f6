"""The one thing the driver asks of listening."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from streaming.hearing import Heard
from streaming.media import AudioChunk


class Ears(Protocol):
    """Listens to one stream: sound is pushed in, findings are iterated out.

    Listening that can't keep up lets go of the oldest sound it has not transcribed; it never
    piles up and never stops VAD. VAD and ASR run in a pool shared by all streams.
    """

    async def hear(self, chunk: AudioChunk) -> None:
        """Take the next sound. Chunks are gapless. Returns soon; waits only for bounded room."""

    async def finish(self) -> None:
        """No more sound will come. What is still being found follows, then iteration ends."""

    def findings(self) -> AsyncIterator[Heard]:
        """What has been found, as it is found. Iterate once."""

    async def aclose(self) -> None:
        """Drop everything at once. Safe to call twice."""
