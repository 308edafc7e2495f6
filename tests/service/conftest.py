"""Each kind of event log, for tests that hold for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.eventlog.kinds import Kind, kind_of
from tests.service.redis_server import RedisServer, running_redis


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A real Redis for the whole run, on a loopback port of its own."""
    with running_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["memory", "sqlite", pytest.param("redis", marks=pytest.mark.slow)])
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Kind:
    def redis() -> str:
        server: RedisServer = request.getfixturevalue("redis_server")
        server.empty()
        return server.address

    return kind_of(request.param, tmp_path, redis)
