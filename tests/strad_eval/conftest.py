"""One METEOR process for all tests that need one: it takes 5 to 20 s to load."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from strad_eval.java import find_jars
from strad_eval.meteor.jar import MeteorJar


@pytest.fixture(scope="session")
def jar() -> Iterator[MeteorJar]:
    with MeteorJar(find_jars()) as running:
        yield running
