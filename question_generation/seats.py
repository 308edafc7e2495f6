"""The models of a run by role: how each is opened, where, and how much may be asked of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from question_generation.answer_cache import AnswerCache
from question_generation.asking import DEADLINE_S, Asker
from question_generation.prices import Prices
from question_generation.rate_limit import RateLimit
from strad_engines.opened_engine import Opened


@dataclass(frozen=True, slots=True)
class Seat:
    """One model, not opened yet. It can be sent to another process."""

    name: str
    """What it is, for whether a run is still the same: not where its server stands."""
    opener: Callable[[], Opened]
    requests: float | None = None
    """A minute."""
    tokens: float | None = None
    """A minute."""
    at_once: int = 8
    deadline_s: float = DEADLINE_S


@dataclass(frozen=True, slots=True)
class Seats:
    """All of them. Roles may share a seat: then its model is opened once."""

    by_role: Mapping[str, Seat] = field(default_factory=dict)
    prices: Prices = field(default_factory=Prices)

    def names(self) -> dict[str, str]:
        """Which model sits in which role."""
        return {role: self.by_role[role].name for role in sorted(self.by_role)}

    @asynccontextmanager
    async def opened(
        self, cache: Path | None, share: int = 1
    ) -> AsyncIterator[Mapping[str, Asker]]:
        """Ready to be asked. ``share``: among how many processes each server's limits are split."""
        async with AsyncExitStack() as stack:
            engines = {
                id(seat): (seat, await stack.enter_async_context(seat.opener()))
                for seat in {id(seat): seat for seat in self.by_role.values()}.values()
            }
            kept = stack.enter_context(AnswerCache(cache))
            askers = {
                known: Asker(
                    engine,
                    kept,
                    RateLimit(_part(seat.requests, share), _part(seat.tokens, share)),
                    self.prices.price(engine.engine.name),
                    seat.deadline_s,
                    max(1, seat.at_once // share),
                )
                for known, (seat, engine) in engines.items()
            }
            yield {role: askers[id(seat)] for role, seat in self.by_role.items()}


def _part(limit: float | None, share: int) -> float | None:
    return None if limit is None else limit / share
