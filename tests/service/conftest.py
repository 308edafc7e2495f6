"""Each kind of event log, for tests that hold for all of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.python import resuming, viewer
from tests.service.eventlog.kinds import Kind, kind_of
from tests.service.redis_server import RedisServer, running_redis


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """``strad serve`` sets the whole process's logging up; the next test has its own stderr."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in [h for h in root.handlers if h not in handlers]:
        root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
def soon_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients that lost their connection try again often, however long it has been away."""
    for module in (resuming, viewer):
        monkeypatch.setattr(module, "LONGEST_PAUSE", 0.4)


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
