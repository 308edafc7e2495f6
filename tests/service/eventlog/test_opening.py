"""Event logs are named in the settings; a name that means nothing is refused, and not shown."""

from __future__ import annotations

import asyncio

import pytest

from service.eventlog.opening import open_event_log, retention_of
from service.eventlog.retention import Retention
from service.settings import Limits
from strad.errors import InputError

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "spec", ["", "memory:x", "sqlite:", "postgres://:hunter2@db/0", "log.db", "redi:x"]
)
def test_names_of_nothing_are_refused(spec: str) -> None:
    async def go() -> None:
        async with open_event_log(spec):
            pytest.fail("there is no such log")

    with pytest.raises(InputError, match="there is memory:, sqlite:PATH and redis://") as refused:
        asyncio.run(go())
    assert "hunter2" not in str(refused.value)


def test_what_is_kept_is_set() -> None:
    retention = retention_of(Limits(max_log=100, remembered=3))
    assert retention == Retention(messages=100, logs=3)
    assert (retention.held, Retention().held) == (100, 500)
