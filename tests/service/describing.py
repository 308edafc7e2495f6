"""Describing a clip in a test, with the real decoder, ears and describer."""

from __future__ import annotations

from pathlib import Path

from service.described import prepared
from service.loading import weights_for
from service.report import Report
from service.settings import Settings
from streaming.config import Pace, StreamConfig
from streaming.sources import FileSource


async def described(path: Path, *, asr: str = "base", pace: Pace = Pace.EVERY_WINDOW) -> Report:
    """What ``strad describe`` makes of a clip with ``facts``."""
    config, weights = StreamConfig(pace=pace), weights_for(Settings())
    async with prepared(FileSource(path), config, asr=asr, weights=weights) as description:
        await description.run(lambda _announcement, _duration: None)
    return description.report
