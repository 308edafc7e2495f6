"""Tickets and cookies: short signed notes for browsers, which can send no header.

A ticket opens one stream for one scope, once, soon. A cookie lets a page fetch one stream's tracks
for a while. Both are signed, so any replica that has the same secret can read them.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import json
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, runtime_checkable

from service.security.calendar import now, seconds_until
from service.security.caller import Caller, Quota, Scope
from strad.errors import OverloadedError, UnauthorizedError
from strad.wire.auth import TICKET_PROTOCOL

COOKIE_PREFIX = "strad-cookie."
MOST_SPENT = 100_000


@runtime_checkable
class SpentTickets(Protocol):
    """Remembers which tickets were used, for as long as they would hold."""

    async def spend(self, ticket: str, seconds: float) -> bool:
        """Note that ``ticket`` is used now; False where it was before. ``seconds``: how long."""
        ...


class SpentHere:
    """The memory of one process: of several that share no Redis, each would take a ticket once."""

    def __init__(self, most: int = MOST_SPENT) -> None:
        self._most = most
        self._spent: OrderedDict[str, float] = OrderedDict()

    async def spend(self, ticket: str, seconds: float) -> bool:
        at = asyncio.get_running_loop().time()
        for other in [t for t, until in self._first(100) if until < at]:
            del self._spent[other]
        if ticket in self._spent:
            return False
        if len(self._spent) >= self._most:
            raise OverloadedError("too many tickets at once; try again soon")
        self._spent[ticket] = at + seconds
        return True

    def _first(self, most: int) -> list[tuple[str, float]]:
        return [pair for pair, _ in zip(self._spent.items(), range(most), strict=False)]


def shared_by(keeper: object) -> SpentTickets | None:
    """``keeper``, where it remembers used tickets for all replicas: the event log in Redis does."""
    return keeper if isinstance(keeper, SpentTickets) else None


@dataclass(frozen=True, slots=True)
class Note:
    """What a ticket or cookie says."""

    id: str
    caller: Caller
    """Narrowed to one scope and one stream."""
    holds: datetime
    """Until when it may be shown; what it opens lasts as long as the caller's own credentials."""


class TicketOffice:
    """Signs notes and reads them back."""

    def __init__(self, secret: str, spent: SpentTickets) -> None:
        root = secret.encode() if secret else secrets.token_bytes(32)
        self._spent = spent
        self._keys = {p: hmac.digest(root, p.encode(), "sha256") for p in (TICKET, COOKIE)}

    def ticket(self, caller: Caller, scope: Scope, stream: str, seconds: float) -> str:
        """A ticket for ``stream``; ``caller`` must have been checked."""
        return self._sign(TICKET, caller, scope, stream, seconds)

    def cookie(self, caller: Caller, stream: str, seconds: float) -> str:
        """A cookie to fetch tracks of ``stream`` with."""
        return self._sign(COOKIE, caller, Scope.SUBSCRIBE, stream, seconds)

    async def use(self, ticket: str) -> Caller:
        """Who comes with ``ticket``, which is thereby used up. Raises UnauthorizedError."""
        note = self._read(TICKET, ticket)
        if not await self._spent.spend(note.id, max(1.0, seconds_until(note.holds) + 1.0)):
            raise UnauthorizedError("this ticket was used already: a ticket opens one connection")
        return note.caller

    def visitor(self, cookie: str) -> Caller:
        """Who comes with ``cookie``. Raises UnauthorizedError."""
        return self._read(COOKIE, cookie).caller

    def _sign(self, kind: str, caller: Caller, scope: Scope, stream: str, seconds: float) -> str:
        holds = now() + timedelta(seconds=seconds)
        quota = caller.quota
        said: dict[str, Any] = {
            "i": secrets.token_hex(8),
            "c": caller.id,
            "s": scope,
            "n": stream,
            "h": holds.timestamp(),
            "q": [quota.streams, quota.viewers, quota.requests],
        }
        if caller.expires is not None:
            said["e"] = caller.expires.timestamp()
        text = _pack(json.dumps(said, separators=(",", ":")).encode())
        return f"{kind}{text}.{_pack(self._mac(kind, text))}"

    def _read(self, kind: str, note: str) -> Note:
        what = "ticket" if kind == TICKET else "cookie"
        text, _, mac = note.removeprefix(kind).partition(".")
        if not hmac.compare_digest(_unpack(mac), self._mac(kind, text)):
            raise UnauthorizedError(f"this {what} is not one of ours")
        said = json.loads(_unpack(text))
        holds = datetime.fromtimestamp(said["h"], UTC)
        if seconds_until(holds) <= 0:
            raise UnauthorizedError(f"this {what} has expired: get another one")
        expires = datetime.fromtimestamp(said["e"], UTC) if "e" in said else None
        scopes, quota = frozenset({Scope(said["s"])}), Quota(*said["q"])
        return Note(said["i"], Caller(said["c"], scopes, quota, (said["n"],), expires), holds)

    def _mac(self, kind: str, text: str) -> bytes:
        return hmac.digest(self._keys[kind], text.encode(errors="replace"), "sha256")


TICKET, COOKIE = TICKET_PROTOCOL, COOKIE_PREFIX


def _pack(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _unpack(text: str) -> bytes:
    """What isn't base64 gives nothing, which no signature fits."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""
