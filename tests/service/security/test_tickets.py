"""Tickets open one connection once; cookies fetch tracks; neither can be made by others."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from service.security.calendar import now
from service.security.caller import Caller, Quota, Scope
from service.security.tickets import SpentHere, TicketOffice
from strad.errors import OverloadedError, UnauthorizedError

pytestmark = pytest.mark.unit

SECRET = "what all replicas share, in the tests"
ADA = Caller("key:0123", frozenset(Scope), Quota(2, 3, 4.0), ("*",), now() + timedelta(hours=1))


def test_a_ticket_is_narrow_and_used_once() -> None:
    async def go() -> None:
        office = TicketOffice("", SpentHere())
        ticket = office.ticket(ADA, Scope.PUBLISH, "news", 30)
        caller = await office.use(ticket)
        assert caller == replace(ADA, scopes=frozenset({Scope.PUBLISH}), streams=("news",))
        with pytest.raises(UnauthorizedError, match="used already"):
            await office.use(ticket)

    asyncio.run(go())


def test_a_ticket_waits_only_so_long() -> None:
    async def go() -> None:
        office = TicketOffice("", SpentHere())
        with pytest.raises(UnauthorizedError, match="expired"):
            await office.use(office.ticket(ADA, Scope.PUBLISH, "news", -1))

    asyncio.run(go())


def test_any_replica_with_the_secret_reads_it_and_no_other() -> None:
    async def go() -> None:
        spent = SpentHere()
        here, there = TicketOffice(SECRET, spent), TicketOffice(SECRET, spent)
        ticket = here.ticket(ADA, Scope.SUBSCRIBE, "news", 30)
        stranger = TicketOffice(SECRET + "!", SpentHere())
        with pytest.raises(UnauthorizedError, match="not one of ours"):
            await stranger.use(ticket)
        await there.use(ticket)
        with pytest.raises(UnauthorizedError, match="used already"):
            await here.use(ticket)

    asyncio.run(go())


def test_what_is_changed_or_of_another_kind_is_refused() -> None:
    async def go() -> None:
        office = TicketOffice(SECRET, SpentHere())
        ticket = office.ticket(ADA, Scope.SUBSCRIBE, "news", 30)
        cookie = office.cookie(ADA, "news", 30)
        assert office.visitor(cookie).scopes == {Scope.SUBSCRIBE}
        wrong = [ticket[:-2], ticket.replace(".", "", 1), ticket + "A", "strad-ticket."]
        wrong += ["", "\ud800", cookie, cookie.replace("strad-cookie.", "strad-ticket.")]
        for each in wrong:
            with pytest.raises(UnauthorizedError):
                await office.use(each)
        for each in (ticket, ticket.replace("strad-ticket.", "strad-cookie."), "x"):
            with pytest.raises(UnauthorizedError):
                office.visitor(each)

    asyncio.run(go())


def test_the_memory_of_used_tickets_is_bounded_and_forgets_what_has_expired() -> None:
    async def go() -> None:
        spent = SpentHere(most=2)
        assert await spent.spend("a", 0.0)
        assert await spent.spend("b", 60.0)
        await asyncio.sleep(0.01)
        assert await spent.spend("c", 60.0)
        assert not await spent.spend("c", 60.0)
        with pytest.raises(OverloadedError):
            await spent.spend("d", 60.0)

    asyncio.run(go())
