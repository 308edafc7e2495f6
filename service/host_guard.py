"""The host guard: pages are given only to who asks for this machine by a name of its own.

A page of another site can have its name point to 127.0.0.1 (DNS rebinding) and then read answers
as its own. Its requests carry that name, and so are told from ours.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from service.loopback import host_of, is_loopback, same_address


class HostGuard:
    """Answers 421 to any HTTP request for another host than loopback and ``names``.

    One that asks for the very address its connection came in on is answered too: a Prometheus or
    a kubelet that knows the machine by its address. No name can be made to look like an address.
    WebSockets pass: their Origin is looked at by ``Peer``.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._knows(Headers(scope=scope).get("host"), scope):
            refusal = PlainTextResponse("this service has another host name\n", status_code=421)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _knows(self, header: str | None, scope: Scope) -> bool:
        host = host_of(header) if header is not None else "localhost"
        return is_loopback(host) or host in self._names or _came_to(host, scope)


def _came_to(host: str, scope: Scope) -> bool:
    """Whether ``host`` is the address, no name, that this connection was made to."""
    address, _ = scope.get("server") or ("", None)
    return same_address(host, address)
