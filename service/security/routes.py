"""``POST /v1/tickets`` and cookies: how a browser, which can send no header, gets in."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from service.security.caller import Scope
from service.security.gate import COOKIE_NAME, Gate
from service.security.rules import caller_of
from strad.wire.message import STREAM_NAME

StreamName = Annotated[str, Field(pattern=STREAM_NAME)]


class TicketRequest(BaseModel):
    """What the ticket is to be for."""

    stream: StreamName
    scope: Literal["publish", "subscribe"] = "subscribe"


class Ticket(BaseModel):
    """A ticket: opens one connection to one stream, once."""

    ticket: str
    """Offered as a WebSocket subprotocol beside ``strad.v1``, or in an auth message."""
    expires_in: float
    """Seconds it may wait to be used."""


class CookieSet(BaseModel):
    """The cookie is in the answer's headers."""

    expires_in: float
    """Seconds."""


def ticket_routes(gate: Gate) -> APIRouter:
    """The routes, over ``gate``."""
    router = APIRouter(tags=["security"])
    auth = gate.auth

    @router.post("/v1/tickets", status_code=201)
    async def ticket(request: Request, wanted: TicketRequest) -> Ticket:
        """A ticket for a browser, from whoever holds a key or token for the same."""
        caller, scope = caller_of(request), Scope(wanted.scope)
        caller.check(scope, wanted.stream)
        made = gate.office.ticket(caller, scope, wanted.stream, auth.ticket_seconds)
        return Ticket(ticket=made, expires_in=auth.ticket_seconds)

    @router.post("/v1/streams/{stream}/cookie")
    async def cookie(request: Request, response: Response, stream: StreamName) -> CookieSet:
        """A cookie with which a page's players fetch this stream's tracks, for a while."""
        made = gate.office.cookie(caller_of(request), stream, auth.cookie_seconds)
        response.set_cookie(
            COOKIE_NAME,
            made,
            max_age=int(auth.cookie_seconds),
            path=f"/v1/streams/{stream}/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return CookieSet(expires_in=auth.cookie_seconds)

    return router
