"""Describing a clip in a test, with the real decoder, ears and describer."""

from __future__ import annotations

from pathlib import Path

from service.described import Description
from service.loading import load_describers, load_listener, weights_for
from service.report import Report
from service.settings import Settings
from streaming.config import Pace, StreamConfig
from streaming.session import Session
from streaming.sources import FileSource
from streaming.voices.estimate import EstimateVoice


async def described(path: Path, *, asr: str = "base", pace: Pace = Pace.EVERY_WINDOW) -> Report:
    """What ``strad describe`` makes of a clip with ``facts``."""
    config = StreamConfig(pace=pace)
    weights = weights_for(Settings())
    makers = await load_describers(["facts"], weights)
    async with load_listener(weights, asr) as listener:
        describer = makers["facts"]()
        description = Description(
            source=FileSource(path),
            config=config,
            listener=listener,
            describer=describer,
            voice=EstimateVoice(),
            captions=None,
            session=Session(config, describer=describer.name, draft=describer.draft),
            report=Report(config.stride),
        )
        await description.run(lambda _announcement, _duration: None)
    return description.report
