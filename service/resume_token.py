"""The resume token: the right to go on with one stream, wherever it is described from now on."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256

from strad.errors import UnauthorizedError


@dataclass(frozen=True, slots=True)
class ResumeToken:
    """Names a log and proves that its holder publishes it. Not to be guessed, never logged."""

    log: str
    secret: str = field(repr=False)

    @classmethod
    def new(cls, log: str) -> ResumeToken:
        return cls(log, secrets.token_urlsafe(24))

    @classmethod
    def parse(cls, text: str) -> ResumeToken:
        """Raises UnauthorizedError for what never was a token."""
        log, dot, secret = text.partition(".")
        if not dot or not log or not secret:
            raise UnauthorizedError("hello.resume: not what a ready message gave out")
        return cls(log, secret)

    def __str__(self) -> str:
        return f"{self.log}.{self.secret}"

    @property
    def digest(self) -> str:
        """All that is kept of the secret."""
        return sha256(self.secret.encode()).hexdigest()

    def check(self, digest: str) -> None:
        """Raises UnauthorizedError where the secret is another one."""
        if not hmac.compare_digest(self.digest, digest):
            raise UnauthorizedError("hello.resume: not this stream's")
