"""Decoder deaths: counted wherever media is decoded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.equipment import OpenMedia
from service.operations.metrics import Metrics
from strad.errors import DecoderError
from strad.timeline import Ms
from strad.wire.publishing import Container
from streaming.media import Media


def counted(decode: OpenMedia, metrics: Metrics) -> OpenMedia:
    """The same decoder."""

    @asynccontextmanager
    async def opened(
        container: Container, chunks: AsyncIterator[bytes], begins: Ms
    ) -> AsyncIterator[AsyncIterator[Media]]:
        try:
            async with decode(container, chunks, begins) as media:
                yield media
        except DecoderError:
            metrics.decoder_deaths.inc()
            raise

    return opened
