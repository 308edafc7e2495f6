"""The rules: every route of the application, walked, refuses whoever has no right to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from tempfile import TemporaryDirectory

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from service.app import create_app
from service.security.calendar import now
from service.security.caller import Scope
from service.security.rules import RULES, need
from service.settings import Auth, Jobs, Settings
from tests.service.fakes import Workshop
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET, hs256

pytestmark = pytest.mark.service

AUTH = Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE, wait=0.2, metrics="admin")
FOLDER = TemporaryDirectory()
SETTINGS = Settings(describer="every-window", auth=AUTH, jobs=Jobs(folder=FOLDER.name))
APP = create_app(SETTINGS, Workshop().equipment())
ENDLESS = {"/v1/streams/{stream}/events"}
"""Answers that wait for a stream: that right tokens get in is tested over real sockets."""

OTHER = {
    Scope.PUBLISH: "subscribe",
    Scope.SUBSCRIBE: "publish",
    Scope.ADMIN: "publish subscribe",
}
"""For each scope, what is not enough."""

WRONG = {
    "none": None,
    "expired": hs256(scope="admin", exp=now() - timedelta(hours=1)),
    "forged": hs256(SECRET[::-1], scope="admin"),
    "issuer": hs256(scope="admin", iss="https://evil.example"),
    "nonsense": "x",
    "key": "strad-key.0123456789ab.x",
    "ticket": "strad-ticket.e30.AAAA",
}


def walked(routes: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    """All routes, those of included routers too."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is None:
            yield route
        else:
            yield from walked(inner.routes)


ROUTES = [*walked(APP.routes)]
HTTP = [(method, r.path) for r in ROUTES if isinstance(r, APIRoute) for method in r.methods]
GUARDED = [pair for pair in HTTP if need(*pair) != "open"]
SOCKETS = [route.path for route in ROUTES if isinstance(route, APIWebSocketRoute)]


def status(method: str, path: str, token: str | None) -> int:
    address = path.replace("{stream}", "news").replace("{job}", "0123456789abcdef")
    headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
    with TestClient(APP, base_url="http://127.0.0.1") as client:
        return client.request(method, address, headers=headers).status_code


@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_no_route_answers_without_a_right_token(method: str, path: str) -> None:
    for name, token in WRONG.items():
        assert status(method, path, token) == 401, name


@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_no_route_answers_to_another_scope_or_stream(method: str, path: str) -> None:
    needed = need(method, path)
    if isinstance(needed, Scope):
        assert status(method, path, hs256(scope=OTHER[needed])) == 403
    if "{stream}" in path:
        assert status(method, path, hs256(scope="admin", streams="sport")) == 403
    if path not in ENDLESS:
        assert status(method, path, hs256(scope="admin")) not in (401, 403)


@pytest.mark.parametrize("path", SOCKETS)
def test_no_socket_lets_anybody_in_without_a_right_token(path: str) -> None:
    for name, token in WRONG.items():
        headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
        address = path.replace("{stream}", "news")
        with (
            TestClient(APP) as client,
            client.websocket_connect(address, headers=headers) as socket,
        ):
            assert socket.receive_json()["code"] == "unauthorized", name
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
            assert closed.value.code == 1008


def test_what_nobody_thought_of_needs_admin() -> None:
    assert need("GET", "/metrics") is Scope.ADMIN
    assert need("DELETE", "/v1/streams") is Scope.ADMIN
    assert need("POST", "/v1/streams/{stream}/anything") is Scope.ADMIN
    assert need("GET", "/v1/streams/{stream}/anything.vtt") is Scope.SUBSCRIBE
    assert need("HEAD", "/healthz") == "open"


def test_every_rule_has_its_route() -> None:
    later = {("GET", "/readyz")}
    assert set(RULES) - later <= set(HTTP)
    assert len(SOCKETS) == 2


def test_the_health_of_the_service_is_nobodys_secret() -> None:
    assert status("GET", "/healthz", None) == 200
