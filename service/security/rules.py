"""The rules: which HTTP route needs which scope. What isn't listed needs admin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from fastapi.openapi.models import HTTPBearer as BearerModel
from fastapi.security.base import SecurityBase
from starlette.requests import HTTPConnection

from service.security.caller import Caller, Scope
from service.security.gate import Gate

Need: TypeAlias = Scope | Literal["open", "known"]
"""``open``: anybody. ``known``: whoever shows credentials, whatever they are for."""

STREAM = "/v1/streams/{stream}/"

METRICS = "/metrics"
"""Open where `auth.metrics` says so: it names no stream, no viewer and no key."""

RULES: Mapping[tuple[str, str], Need] = {
    ("GET", "/"): "open",
    ("GET", "/control-room/{name}"): "open",
    ("GET", "/player/"): "open",
    ("GET", "/player/{name}"): "open",
    ("GET", "/healthz"): "open",
    ("GET", "/readyz"): "open",
    ("GET", "/v1/streams"): Scope.SUBSCRIBE,
    ("POST", "/v1/streams"): Scope.PUBLISH,
    ("DELETE", "/v1/streams/{stream}"): Scope.PUBLISH,
    ("GET", "/v1/streams/{stream}/source"): Scope.PUBLISH,
    ("POST", "/v1/streams/{stream}/events/{event}/flags"): Scope.SUBSCRIBE,
    ("GET", "/v1/streams/{stream}/flags.jsonl"): Scope.ADMIN,
    ("POST", "/v1/tickets"): "known",
    ("POST", "/v1/streams/{stream}/cookie"): Scope.SUBSCRIBE,
    ("POST", "/v1/jobs"): Scope.PUBLISH,
    ("GET", "/v1/jobs"): Scope.PUBLISH,
    ("GET", "/v1/jobs/{job}"): Scope.PUBLISH,
    ("GET", "/v1/jobs/{job}/descriptions.vtt"): Scope.PUBLISH,
    ("GET", "/v1/jobs/{job}/descriptions.jsonl"): Scope.PUBLISH,
    ("DELETE", "/v1/jobs/{job}"): Scope.PUBLISH,
}


def need(method: str, path: str) -> Need:
    """What a request to the route at ``path`` (with its parameters' names) needs."""
    method = "GET" if method == "HEAD" else method
    if (rule := RULES.get((method, path))) is not None:
        return rule
    if method == "GET" and path.startswith(STREAM):
        return Scope.SUBSCRIBE
    return Scope.ADMIN


class Guard(SecurityBase):
    """The dependency every route has. WebSockets pass: ``Gate.entered`` looks at them."""

    def __init__(self, gate: Gate) -> None:
        self.model = BearerModel(description="An API key, a JWT or a ticket.")
        self.scheme_name = "credentials"
        self._gate = gate

    async def __call__(self, connection: HTTPConnection) -> None:
        """Leaves the caller in ``connection.state.caller``."""
        if connection.scope["type"] != "http":
            return
        route = connection.scope["route"]
        needed = need(connection.scope["method"], route.path)
        if route.path == METRICS and self._gate.auth.metrics == "open":
            needed = "open"
        if needed == "open":
            return
        scope = needed if isinstance(needed, Scope) else None
        stream = connection.path_params.get("stream")
        connection.state.caller = await self._gate.admit(connection, scope, stream)


def caller_of(connection: HTTPConnection) -> Caller:
    """Who sent a request that the guard has let in."""
    caller: Caller = connection.state.caller
    return caller
