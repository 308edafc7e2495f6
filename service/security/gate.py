"""The gate: everybody who comes, by WebSocket or HTTP, is identified and checked here.

``entered`` lets a WebSocket in, ``admit`` an HTTP request. Where no authentication is set up, which
is possible on loopback only, anybody may do anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from service.peer import Peer, Permission
from service.security.calendar import seconds_until
from service.security.caller import Caller, Quota, Scope
from service.security.credentials import NEEDED, bearer, refuse_in_url
from service.security.guests import Guests
from service.security.keys import PREFIX as KEY
from service.security.keys import KeyRing
from service.security.origins import Origins
from service.security.permit import OpenPermit, Permit
from service.security.rates import Rates
from service.security.tickets import COOKIE, TICKET, SpentHere, SpentTickets, TicketOffice
from service.security.tokens import TokenReader
from service.settings import Auth
from strad.errors import PeerGoneError, StradError, UnauthorizedError
from strad.wire.answering import Error
from strad.wire.auth import SUBPROTOCOL, may_be_auth, parse_auth

logger = logging.getLogger(__name__)

COOKIE_NAME = "strad-viewer"

ANYBODY = Caller("anybody", frozenset(Scope), Quota(10**9, 10**9, 1e9))

GONE = "this key or token has expired or was revoked"

LOOK_EVERY = 1.0
"""Wall seconds between two looks at which keys hold."""


class Gate:
    """One process's gate, made from its settings."""

    def __init__(
        self, auth: Auth, spent: SpentTickets | None = None, names: Iterable[str] = ()
    ) -> None:
        """``spent``: remembers used tickets; else this process does. ``names``: of the service."""
        self.auth = auth
        self.origins = Origins(auth.origins, names)
        self.office = TicketOffice(auth.ticket_secret, spent or SpentHere())
        self.rates = Rates()
        self.guests = Guests()
        """Who is in, to be told when that holds no longer."""
        self.refused: Callable[[str, str], object] = lambda _what, _code: None
        """Told of every WebSocket turned away: what it wanted, and the code."""
        self._ring = KeyRing(Path(auth.keys), auth) if auth.keys else None
        self._tokens = TokenReader(auth) if auth.secret or auth.jwks else None

    async def identify(self, credential: str) -> Caller:
        """Who comes with a key, ticket or token. Raises UnauthorizedError."""
        caller = await self._find(credential)
        if not self.holds(caller):
            raise UnauthorizedError(GONE)
        return caller

    def holds(self, caller: Caller) -> bool:
        """Whether what the caller showed still holds: not expired, its key not revoked."""
        if caller.expires is not None and seconds_until(caller.expires) <= -self.auth.leeway:
            return False
        if self._ring is None or not caller.id.startswith("key:"):
            return True
        return self._ring.holds(caller.id, asyncio.get_running_loop().time())

    async def admit(
        self, connection: HTTPConnection, scope: Scope | None, stream: str | None = None
    ) -> Caller:
        """Who sends this HTTP request, which needs ``scope`` for ``stream``.

        Raises UnauthorizedError, ForbiddenError, RateLimitError.
        """
        refuse_in_url(connection)
        self.origins.check(connection)
        if not self.auth.on:
            return ANYBODY
        credential = bearer(connection)
        cookie = connection.cookies.get(COOKIE_NAME)
        if credential is not None:
            caller = await self.identify(credential)
        elif cookie is not None and connection.scope.get("method") in ("GET", "HEAD"):
            caller = self.office.visitor(cookie.removeprefix(COOKIE))
        else:
            raise UnauthorizedError(NEEDED)
        if not self.holds(caller):
            raise UnauthorizedError(GONE)
        self.rates.take(caller)
        caller.check(scope, stream)
        return caller

    @asynccontextmanager
    async def entered(
        self, socket: WebSocket, scope: Scope, stream: str
    ) -> AsyncIterator[Peer | None]:
        """The WebSocket's peer, accepted and allowed in; None where it was refused and closed."""
        if not self.origins.welcome(socket.headers.get("origin")):
            await socket.close(1008)
            yield None
            return
        offered = socket.scope.get("subprotocols", [])
        await socket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in offered else None)
        peer = Peer(socket)
        with ExitStack() as held:
            try:
                peer.permit = await self._permit(peer, socket, scope, stream, held)
            except StradError as refused:
                fields = {"stream": stream[:80], "peer": peer.address, "code": refused.code}
                logger.info(
                    "stream %.80a: %s refused: %s", stream, scope, refused.code, extra=fields
                )
                self.refused(str(scope), refused.code)
                await turn_away(peer, refused)
                yield None
                return
            with self.guests.staying(peer.holds, peer.wake):
                yield peer

    async def mind(self) -> None:
        """See to it that whose key is revoked is put out, though it says nothing, until cancelled.

        Within two seconds: the file is looked at every second at most.
        """
        seen: object = None
        while self._ring is not None:
            self._ring.look(asyncio.get_running_loop().time())
            if self._ring.records is not seen:
                self.guests.look()
            seen = self._ring.records
            await asyncio.sleep(LOOK_EVERY)

    async def _permit(
        self, peer: Peer, socket: WebSocket, scope: Scope, stream: str, held: ExitStack
    ) -> Permission:
        refuse_in_url(socket)
        if not self.auth.on:
            return OpenPermit()
        offered = socket.scope.get("subprotocols", [])
        ticket = next((p for p in offered if p.startswith(TICKET)), None)
        credential = bearer(socket) or ticket or await self._first_message(peer)
        caller = await self.identify(credential)
        self.rates.take(caller)
        caller.check(scope, stream)
        held.enter_context(self.rates.holding(caller, scope, stream))
        return Permit(self, caller, scope, stream, self.auth.leeway)

    async def _first_message(self, peer: Peer) -> str:
        try:
            first = await peer.receive(self.auth.wait)
        except PeerGoneError:
            raise UnauthorizedError(f"no auth message came for {self.auth.wait:g} s") from None
        if first is None:
            raise PeerGoneError("the peer left before it said who it is")
        if not isinstance(first, str) or not may_be_auth(first):
            raise UnauthorizedError(NEEDED)
        return parse_auth(first).token

    async def _find(self, credential: str) -> Caller:
        if credential.startswith(TICKET):
            return await self.office.use(credential)
        if self._ring is not None and credential.startswith(KEY):
            return self._ring.find(credential, asyncio.get_running_loop().time())
        if self._tokens is not None:
            return await self._tokens.read(credential)
        raise UnauthorizedError("this is neither a key nor a ticket of this service")


def caller_on(peer: Peer) -> Caller:
    """Who is on a WebSocket that was let in; anybody, where nobody is asked who they are."""
    return peer.permit.caller if isinstance(peer.permit, Permit) else ANYBODY


async def turn_away(peer: Peer, refused: StradError) -> None:
    """Say why, then close."""
    try:
        await peer.send(Error.of(refused).to_json(), limit=1.0)
    except (PeerGoneError, TimeoutError):
        return
    await peer.close(refused)
