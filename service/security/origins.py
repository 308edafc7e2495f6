"""Origins: which web pages may talk to the service. Programs send no Origin.

A browser lets any page send a POST or open a WebSocket to any host, this machine's too; it only
keeps the answer from it. So where an Origin is not welcome, nothing is done for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import HTTPConnection

from service.loopback import host_of, is_loopback
from strad.errors import ForbiddenError

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""What changes nothing. Reading the answer is up to CORS."""

OUR_EXTENSION = "chrome-extension://ehkammohkdfnfmgmoplpnagfajmbbeao"
"""Strad's own browser extension: its id follows from the key in clients/extension/manifest.json."""


class Origins:
    """Welcome: pages of this machine and of the service's names, our extension, those listed."""

    def __init__(self, listed: Iterable[str] = (), names: Iterable[str] = ()) -> None:
        self._listed = frozenset(o.lower().rstrip("/") for o in (*listed, OUR_EXTENSION))
        self._names = frozenset(name.lower() for name in names)

    def welcome(self, origin: str | None) -> bool:
        """Whether a page with this Origin header may come in. None: no page."""
        if origin is None:
            return True
        host = host_of(origin)
        return is_loopback(host) or host in self._names or origin.lower() in self._listed

    def check(self, request: HTTPConnection) -> None:
        """Raises ForbiddenError for a request of another page's that could change something."""
        if request.scope.get("method") in SAFE:
            return
        if not self.welcome(request.headers.get("origin")):
            raise ForbiddenError("pages of that origin may not do this: see auth.origins")
