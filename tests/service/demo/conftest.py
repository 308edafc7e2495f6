"""Clips that several of the slow suites look at, each made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from service.demo.clip import DemoClip, render_clip
from tests.reading_clip import librivox, reading_clip


@pytest.fixture(scope="session")
def clip_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], DemoClip]:
    """Gives the demo clip of 75 seconds that a seed makes."""
    folder = tmp_path_factory.mktemp("clips")
    return cache(lambda seed: render_clip(seed, folder, 75))


@pytest.fixture(scope="session")
def reading(tmp_path_factory: pytest.TempPathFactory) -> DemoClip:
    """The three-minute clip of a real reading."""
    return reading_clip(tmp_path_factory.mktemp("reading"), librivox())
