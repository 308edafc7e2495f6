"""The host guard: pages for this machine's own names, and for nobody who rebinds another's."""

from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from service.app import create_app
from service.host_guard import HostGuard
from service.settings import Settings
from tests.service.fakes import Workshop

pytestmark = pytest.mark.service


@pytest.mark.parametrize(
    ("host", "server", "status"),
    [
        ("192.0.2.7:8000", "192.0.2.7", 200),
        ("192.0.2.7", "::ffff:192.0.2.7", 200),
        ("[2001:db8::7]:8000", "2001:db8:0::7", 200),
        ("192.0.2.8:8000", "192.0.2.7", 421),
        ("192.0.2.7.evil.example", "192.0.2.7", 421),
        ("pod-7", "pod-7", 421),
        ("192.0.2.7@evil.example", "192.0.2.7", 421),
    ],
)
def test_the_address_a_connection_came_to_is_answered(host: str, server: str, status: int) -> None:
    """As a kubelet or a Prometheus asks; the second argument is what the socket itself says."""

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("here")(scope, receive, send)

    async def at_address(scope: Scope, receive: Receive, send: Send) -> None:
        scope["server"] = (server, 8000)
        await HostGuard(page)(scope, receive, send)

    client = TestClient(at_address)
    assert client.get("/healthz", headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("[::1]:8000", 200),
        ("AD.example.org", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("127.0.0.1.evil.example", 421),
        ("127.0.0.1@evil.example", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
def test_only_known_hosts_are_answered(host: str, status: int) -> None:
    settings = Settings(describer="every-window", names="ad.example.org, other.example")
    app = create_app(settings, Workshop().equipment())
    with TestClient(app) as client:
        for page in ("/healthz", "/v1/streams", "/openapi.json"):
            assert client.get(page, headers={"host": host}).status_code == status
