"""Rates: a bucket a caller, and a count of what each has open."""

from __future__ import annotations

import asyncio

import pytest

from service.security import rates as module
from service.security.caller import Caller, Quota, Scope
from service.security.rates import Rates
from strad.errors import RateLimitError
from tests.virtual_time import run

pytestmark = pytest.mark.unit


def caller(name: str, requests: float = 2.0) -> Caller:
    return Caller(name, frozenset(Scope), Quota(1, 2, requests))


def test_a_burst_is_taken_then_only_the_rate() -> None:
    async def go() -> int:
        rates, taken = Rates(), 0
        for _ in range(4):
            rates.take(caller("a"))
        with pytest.raises(RateLimitError, match="more than 2 requests") as refused:
            rates.take(caller("a"))
        assert refused.value.retryable
        assert refused.value.retry_after == pytest.approx(0.5)
        rates.take(caller("b"))
        for _ in range(100):
            await asyncio.sleep(0.1)
            try:
                rates.take(caller("a"))
                taken += 1
            except RateLimitError:
                pass
        return taken

    assert 19 <= run(go()) <= 21


def test_one_may_have_so_much_open_at_once() -> None:
    rates, ada = Rates(), caller("a")
    with rates.holding(ada, Scope.PUBLISH, "news"):
        with (
            pytest.raises(RateLimitError, match="1 streams at once"),
            rates.holding(ada, Scope.PUBLISH, "sport"),
        ):
            raise AssertionError("one too many")
        with (
            rates.holding(ada, Scope.SUBSCRIBE, "news"),
            rates.holding(ada, Scope.SUBSCRIBE, "news"),
            pytest.raises(RateLimitError, match="2 viewers at once"),
            rates.holding(ada, Scope.SUBSCRIBE, "news"),
        ):
            raise AssertionError("one too many")
        with rates.holding(caller("b"), Scope.PUBLISH, "sport"):
            pass
    with rates.holding(ada, Scope.PUBLISH, "sport"):
        pass
    assert not rates._open


def test_a_publisher_that_comes_back_has_one_stream() -> None:
    rates, ada = Rates(), caller("a")
    with rates.holding(ada, Scope.PUBLISH, "news"):
        with rates.holding(ada, Scope.PUBLISH, "news"), rates.holding(ada, Scope.PUBLISH, "news"):
            pass
        with (
            pytest.raises(RateLimitError, match="1 streams at once"),
            rates.holding(ada, Scope.PUBLISH, "sport"),
        ):
            raise AssertionError("one too many")


def test_callers_are_forgotten_at_some_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CALLERS", 3)

    async def go() -> None:
        rates = Rates()
        for n in range(50):
            rates.take(caller(f"c{n}"))
        assert len(rates._buckets) == 3

    run(go())
