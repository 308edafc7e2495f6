"""The host guard: pages for this machine's own names, and for nobody who rebinds another's."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from service.app import create_app
from service.settings import Settings
from tests.service.fakes import Workshop

pytestmark = pytest.mark.service


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
        for page in ("/healthz", "/v1/streams", "/docs"):
            assert client.get(page, headers={"host": host}).status_code == status
