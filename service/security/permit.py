"""A permit: what one WebSocket was let in with, watched for as long as it is open."""

from __future__ import annotations

from typing import Protocol

from service.security.calendar import seconds_until
from service.security.caller import Caller, Scope
from strad.errors import ExpiredError, ForbiddenError


class Registrar(Protocol):
    """Knows who is who."""

    async def identify(self, credential: str) -> Caller:
        """Raises UnauthorizedError."""
        ...

    def holds(self, caller: Caller) -> bool:
        """Whether what the caller showed is neither expired nor revoked."""
        ...


class Permit:
    """One caller on one connection, for one scope and one stream."""

    def __init__(
        self, registrar: Registrar, caller: Caller, scope: Scope, stream: str, leeway: float
    ) -> None:
        self._registrar = registrar
        self._scope = scope
        self._stream = stream
        self._leeway = leeway
        self.caller = caller

    def left(self) -> float | None:
        """Seconds it still holds; None for as long as its key isn't revoked."""
        expires = self.caller.expires
        return None if expires is None else max(0.0, seconds_until(expires) + self._leeway)

    def check(self) -> None:
        """Raises ExpiredError."""
        if not self._registrar.holds(self.caller):
            raise ExpiredError("the key or token in use has expired or was revoked")

    async def renew(self, credential: str) -> None:
        """Go on with ``credential``, of the same caller. Raises UnauthorizedError."""
        caller = await self._registrar.identify(credential)
        caller.check(self._scope, self._stream)
        if caller.id != self.caller.id:
            raise ForbiddenError("this key or token is another caller's")
        self.caller = caller


class OpenPermit:
    """Where nobody is asked who they are."""

    def left(self) -> float | None:
        return None

    def check(self) -> None:
        """Always fine."""

    async def renew(self, credential: str) -> None:
        """Taken without a look."""
