"""The equipment: what streams are described with, loaded once and shared by all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from strad.speech import Protect
from strad.timeline import Ms
from strad.wire.publishing import Container
from streaming.config import StreamConfig
from streaming.describers.describer import Describer
from streaming.ears import Ears
from streaming.media import Media
from streaming.voices.voice import Voice

MakeDescriber: TypeAlias = Callable[[StreamConfig], Describer]
"""Makes the describer of one stream, run by this config. Quick: models are loaded already."""

Tune: TypeAlias = Callable[[str, StreamConfig], StreamConfig]
"""Makes a stream's config fit the describer of that name: its stride, its questions in flight."""


def untuned(describer: str, config: StreamConfig) -> StreamConfig:
    """The config as it is."""
    del describer
    return config


class OpenMedia(Protocol):
    """Decodes live bytes."""

    def __call__(
        self, container: Container, chunks: AsyncIterator[bytes], begins: Ms
    ) -> AbstractAsyncContextManager[AsyncIterator[Media]]:
        """Frames and sound; ``begins`` is the stream time of the first.

        Iterating raises MediaError, DecoderError; leaving ends the decoder.
        """


class MakeEars(Protocol):
    """Makes one stream's ears, over the models all streams share."""

    def __call__(
        self,
        *,
        language: str,
        recognise: bool,
        patient: bool = False,
        protect: Protect = Protect.SPEECH,
    ) -> Ears:
        """``recognise``: find words too, not only where there is speech.

        ``protect``: find sounds that are to be left alone, too.

        ``patient``: make media wait where others let go of sound; for files, which can wait.
        """


@dataclass(frozen=True, slots=True)
class Equipment:
    """All a stream needs beside its publisher."""

    media: OpenMedia
    ears: MakeEars
    describers: Mapping[str, MakeDescriber]
    """By the name a publisher asks with."""
    voice: Voice
    tune: Tune = untuned
    width: int | None = None
    """How wide describers want pictures, where they want more or less than ingest's own."""
    words: bool = True
    """Whether ears can recognise words, and not only hear that somebody speaks."""
    listened: Callable[[], float] = lambda: 0.0
    """Wall seconds that each thread which transcribes has worked so far."""
    said: tuple[str, ...] = ()
    """Lines for a person: what serves the model, how, and what is slow about it."""
