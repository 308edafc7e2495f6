"""The equipment: what streams are described with, loaded once and shared by all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from strad.wire.publishing import Container
from streaming.describers.describer import Describer
from streaming.ears import Ears
from streaming.media import Media
from streaming.voices.voice import Voice

MakeDescriber: TypeAlias = Callable[[], Describer]
"""Makes one stream's describer. Quick; models are loaded already, or when it first decides."""


class OpenMedia(Protocol):
    """Decodes live bytes."""

    def __call__(
        self, container: Container, chunks: AsyncIterator[bytes]
    ) -> AbstractAsyncContextManager[AsyncIterator[Media]]:
        """Frames and sound. Iterating raises MediaError, DecoderError; leaving ends the decoder."""


class MakeEars(Protocol):
    """Makes one stream's ears, over the models all streams share."""

    def __call__(self, *, language: str, recognise: bool) -> Ears:
        """``recognise``: find words too, not only where there is speech."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """All a stream needs beside its publisher."""

    media: OpenMedia
    ears: MakeEars
    describers: Mapping[str, MakeDescriber]
    """By the name a publisher asks with."""
    voice: Voice
    words: bool = True
    """Whether ears can recognise words, and not only hear that somebody speaks."""
