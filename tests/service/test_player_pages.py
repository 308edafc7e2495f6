"""The player's files: served as they are, locked down to the media that the settings name."""

from __future__ import annotations

import pytest
from hatchling.builders.wheel import WheelBuilder
from starlette.testclient import TestClient

from service.app import create_app
from service.player_pages import page_policy
from service.settings import Auth, Player, Settings
from strad.errors import InputError
from tests import tree
from tests.service.fakes import Workshop
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET

pytestmark = pytest.mark.service

CLOSED = Settings(
    describer="every-window",
    auth=Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE, origins=("https://tv.example.org",)),
    player=Player(media=("https://cdn.example.org",)),
)
FOLDER = tree.ROOT / "clients" / "player" / "dist"


def test_all_is_served_to_anybody_and_once() -> None:
    with TestClient(
        create_app(CLOSED, Workshop().equipment()), base_url="http://127.0.0.1"
    ) as client:
        page = client.get("/player/")
        assert (page.status_code, page.content) == (200, (FOLDER / "index.html").read_bytes())
        for name in ("player.js", "strad-describe.js", "hls.js", "player.css", "icon.svg"):
            part = client.get(f"/player/{name}")
            assert (part.status_code, part.content) == (200, (FOLDER / name).read_bytes())
            tag = {"If-None-Match": part.headers["etag"]}
            assert client.get(f"/player/{name}", headers=tag).status_code == 304
        assert client.get("/player/index.html").status_code == 404


def test_the_page_plays_only_what_the_settings_name() -> None:
    policy = page_policy(CLOSED)
    assert "media-src blob: 'self' https://cdn.example.org;" in policy
    assert "connect-src 'self' https://cdn.example.org;" in policy
    assert "frame-ancestors 'self' https://tv.example.org;" in policy
    assert "unsafe" not in policy
    assert "http://127.0.0.1:*" in page_policy(Settings())
    with pytest.raises(InputError, match=r"player\.media"):
        Player(media=("cdn.example.org",))


def test_the_wheel_holds_what_was_built_and_no_source() -> None:
    builder = WheelBuilder(str(tree.ROOT))
    shipped = {file.distribution_path for file in builder.recurse_included_files()}
    assert {f"clients/player/dist/{path.name}" for path in FOLDER.iterdir()} <= shipped
    assert [path for path in shipped if path.endswith((".ts", "package.json"))] == []
