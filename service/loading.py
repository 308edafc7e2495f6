"""Loading: the real equipment, from the settings. The models are loaded here, once a process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from service.describers import open_describers
from service.equipment import Equipment, MakeEars
from service.model_choice import ModelChoice
from service.settings import Settings
from strad.errors import InputError, MissingModelError
from strad.speech import Protect
from strad.timeline import Ms
from strad.wire.publishing import Container
from strad_engines.weights import Weights, platform_cache
from streaming.asr import WhisperAsr
from streaming.ears import Ears
from streaming.ingest import IngestOptions, open_media
from streaming.listen import Listener
from streaming.listening_pool import ListeningPool
from streaming.media import Media
from streaming.sources import BytesSource
from streaming.sources import Container as Demuxer
from streaming.vad import SileroVad
from streaming.voices.estimate import EstimateVoice

NO_LIMIT = 7 * 24 * 3600.0
"""Seconds. A publication watches by itself whether media comes; a paused player sends none."""

SPEECH = ("base", "tiny.en")
"""The speech models that packages ship."""


def weights_for(settings: Settings) -> Weights:
    """Where model files come from."""
    return Weights(
        models=Path(settings.models) if settings.models else None,
        cache=Path(settings.cache) if settings.cache else platform_cache(),
    )


@asynccontextmanager
async def load_equipment(settings: Settings, describers: Iterable[str]) -> AsyncIterator[Equipment]:
    """The real thing. ``describers`` as on the command line: ``facts``, ``scripted:FILE``.

    Raises MissingModelError, InputError, and what opening the settings' engine raises.
    """
    weights = weights_for(settings)
    async with (
        open_describers(describers, weights, ModelChoice.of(settings)) as opened,
        load_listener(weights, settings.asr) as listener,
    ):
        yield Equipment(
            media=partial(live_media, width=opened.width),
            ears=ears_of(listener),
            describers=opened.makers,
            voice=EstimateVoice(),
            tune=opened.tune,
            width=opened.width,
            words=listener.asr is not None,
            listened=lambda: listener.pool.worked,
            said=opened.said,
        )


@asynccontextmanager
async def load_listener(weights: Weights, asr: str) -> AsyncIterator[Listener]:
    """The listener all streams share; ``asr`` is a model's name or folder, or ``off``."""
    if not asr.strip():
        raise InputError("no speech model is called by an empty name: give one, or off")
    vad = await asyncio.to_thread(SileroVad.load, weights.file("silero-vad"))
    workers = max(1, (os.cpu_count() or 2) // 2)
    model = await asyncio.to_thread(_load_asr, weights, asr, workers) if asr != "off" else None
    async with ListeningPool(workers) as pool:
        yield Listener(vad, model, pool)


def ears_of(listener: Listener) -> MakeEars:
    """Ears over ``listener``; those that needn't recognise hear only that somebody speaks."""
    deaf_to_words = Listener(listener.vad, None, listener.pool)

    def ears(
        *,
        language: str,
        recognise: bool,
        patient: bool = False,
        protect: Protect = Protect.SPEECH,
    ) -> Ears:
        if recognise:
            return listener.ears(language, patient=patient, protect=protect)
        return deaf_to_words.ears(patient=patient, protect=protect)

    return ears


def live_media(
    container: Container,
    chunks: AsyncIterator[bytes],
    begins: Ms = 0,
    *,
    width: int | None = None,
) -> AbstractAsyncContextManager[AsyncIterator[Media]]:
    """A socket's bytes, decoded in a child process of their own."""
    options = IngestOptions(open_seconds=NO_LIMIT, stall_seconds=NO_LIMIT)
    if width is not None:
        options = replace(options, max_width=width)
    return open_media(BytesSource(Demuxer(container.value), chunks, begins), options)


def _load_asr(weights: Weights, name: str, workers: int) -> WhisperAsr:
    try:
        folder = weights.folder(name)
    except MissingModelError:
        if name in weights.table:
            raise
        raise InputError(
            f"no speech model {name!r}: give a folder that holds one, {', '.join(SPEECH)}, or off"
        ) from None
    return WhisperAsr.load(folder, workers=workers)
