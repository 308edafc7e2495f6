"""A caller: who asks, and what it may do. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from strad.errors import ForbiddenError, InputError

PATTERN = re.compile(r"[A-Za-z0-9._*-]{1,64}")


class Scope(StrEnum):
    """What may be done."""

    PUBLISH = "publish"
    """Send media, have a URL pulled, start jobs; see and stop one's own."""
    SUBSCRIBE = "subscribe"
    """Watch streams and fetch their tracks."""
    ADMIN = "admin"
    """All of it, and what concerns the whole service."""


@dataclass(frozen=True, slots=True)
class Quota:
    """How much one caller may do at once."""

    streams: int
    viewers: int
    requests: float
    """A second."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever showed a key, a token or a ticket."""

    id: str
    scopes: frozenset[Scope]
    quota: Quota
    streams: tuple[str, ...] = ("*",)
    """Patterns of the streams it is for; ``*`` stands for any text."""
    expires: datetime | None = None
    """When what it showed holds no longer."""

    def check(self, scope: Scope | None, stream: str | None = None) -> None:
        """Raises ForbiddenError where it may not do ``scope``, or not with ``stream``."""
        if scope is not None and not self.scopes & {scope, Scope.ADMIN}:
            raise ForbiddenError(f"this key or token is not for {scope}")
        if stream is not None and not self.covers(stream):
            raise ForbiddenError("this key or token is for other streams")

    def covers(self, stream: str) -> bool:
        """Whether ``stream`` is among those it is for."""
        return any(_matches(pattern, stream) for pattern in self.streams)


def parse_scopes(words: object) -> frozenset[Scope]:
    """From a list, or a text with spaces between. Words that are no scope are passed over."""
    found = words.split() if isinstance(words, str) else words
    known = {str(scope) for scope in Scope}
    listed = found if isinstance(found, list | tuple) else ()
    return frozenset(Scope(word) for word in listed if word in known)


def check_patterns(patterns: object) -> tuple[str, ...]:
    """Raises InputError for what is no text or list of stream patterns."""
    listed = [patterns] if isinstance(patterns, str) else patterns
    if not isinstance(listed, list | tuple) or not all(
        isinstance(p, str) and PATTERN.fullmatch(p) for p in listed
    ):
        raise InputError("a stream pattern has 1 to 64 letters, digits, . _ - and *")
    return tuple(listed)


def _matches(pattern: str, stream: str) -> bool:
    parts = [re.escape(part) for part in pattern.split("*")]
    return re.fullmatch(".*".join(parts), stream) is not None
