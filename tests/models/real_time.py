"""Async tests on a loop of their own, by the wall clock: what is tested has threads."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import ParamSpec

P = ParamSpec("P")


def in_real_time(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """The test as pytest runs it, fixtures and parameters as they are."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run
