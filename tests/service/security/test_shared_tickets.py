"""Tickets among replicas that share a Redis: taken once, whichever replica it is."""

from __future__ import annotations

import asyncio

import pytest

from service.eventlog.opening import open_event_log
from service.security.caller import Caller, Quota, Scope
from service.security.tickets import SpentTickets, TicketOffice
from strad.errors import UnauthorizedError
from tests.service.redis_server import RedisServer

pytestmark = [pytest.mark.service, pytest.mark.slow]

SECRET = "what all replicas share, in the tests"
ADA = Caller("key:0123", frozenset(Scope), Quota(2, 3, 4.0))


def test_a_ticket_is_used_once_on_any_replica(redis_server: RedisServer) -> None:
    async def go() -> None:
        address = redis_server.address
        async with open_event_log(address) as here, open_event_log(address) as there:
            assert isinstance(here, SpentTickets)
            assert isinstance(there, SpentTickets)
            one, other = TicketOffice(SECRET, here), TicketOffice(SECRET, there)
            ticket = one.ticket(ADA, Scope.SUBSCRIBE, "news", 30)
            assert (await other.use(ticket)).streams == ("news",)
            for office in (one, other):
                with pytest.raises(UnauthorizedError, match="used already"):
                    await office.use(ticket)

    asyncio.run(go())
