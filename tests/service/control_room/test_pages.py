"""The control room's files: served as they are, locked down, and in the wheel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from starlette.testclient import TestClient

from service.app import create_app
from service.control_room.pages import page_files
from service.settings import Auth, Settings
from tests import tree
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET

pytestmark = pytest.mark.service

FOLDER = tree.ROOT / "service" / "control_room" / "page"
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
PARTS = sorted(path.name for path in FOLDER.iterdir() if path.suffix in KINDS)
CLOSED = Settings(
    describer="every-window", auth=Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE)
)


@pytest.fixture
def client() -> Iterator[TestClient]:
    app = create_app(SETTINGS, Workshop().equipment())
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def test_the_page_is_at_the_root(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.content == (FOLDER / "index.html").read_bytes()


@pytest.mark.parametrize("name", PARTS)
def test_each_part_is_served_as_what_it_is(client: TestClient, name: str) -> None:
    answer = client.get(f"/control-room/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == KINDS[Path(name).suffix]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.content == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("path", ["/", "/control-room/main.js", "/control-room/style.css"])
def test_nothing_inline_nothing_from_elsewhere_in_no_frame(client: TestClient, path: str) -> None:
    policy = client.get(path).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert {rules[each] for each in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert {rules[each] for each in ("frame-ancestors", "base-uri", "form-action")} == {"'none'"}
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/", "/control-room/main.js"])
def test_a_head_and_a_second_look_get_no_body(client: TestClient, path: str) -> None:
    full, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(full.content))
    again = client.get(path, headers={"If-None-Match": full.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200


@pytest.mark.parametrize(
    "name", ["none.js", "index.html", "..%2Fpages.py", "%2e%2e/pages.py", "main.js/", ""]
)
def test_there_is_nothing_else(client: TestClient, name: str) -> None:
    answer = client.get(f"/control-room/{name}", follow_redirects=False)
    assert answer.status_code in (404, 307)
    assert b"import" not in answer.content


def test_only_get_and_head_are_allowed(client: TestClient) -> None:
    assert client.post("/").status_code == 405
    assert client.delete("/control-room/main.js").status_code == 405


def test_where_keys_are_needed_the_page_comes_and_what_it_tells_does_not() -> None:
    app = create_app(CLOSED, Workshop().equipment())
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.get("/").status_code == 200
        assert client.get("/control-room/main.js").status_code == 200
        for path in ("/v1/streams", "/v1/status", "/v1/streams/news/status"):
            assert client.get(path).status_code == 401


class Links(HTMLParser):
    """What a page loads, and what in it a policy against inline code would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.inline: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in ("script", "link", "img"):
            self.loads.append(found.get("src") or found.get("href") or "")
        self.inline += [name for name in found if name == "style" or name.startswith("on")]
        self.inline += ["style"] if tag == "style" else []
        self.ids += [name] if (name := found.get("id")) else []


def test_the_page_loads_what_is_there_and_has_nothing_inline() -> None:
    links = Links()
    links.feed((FOLDER / "index.html").read_text(encoding="utf-8"))
    assert links.inline == []
    assert {name.removeprefix("control-room/") for name in links.loads} <= set(page_files())
    assert len(links.ids) == len(set(links.ids))


def test_every_script_imports_what_is_there_and_writes_no_html() -> None:
    for path in FOLDER.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r'from "\./([^"]+)"', text)) <= set(page_files()), path.name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\b", text), path.name
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace(
            '"https:"', ""
        ), path.name
        assert len(text.splitlines()) <= 400


def test_all_of_it_is_in_the_wheel() -> None:
    builder = WheelBuilder(str(tree.ROOT))
    shipped = {file.distribution_path for file in builder.recurse_included_files()}
    assert {f"service/control_room/page/{name}" for name in page_files()} <= shipped
    assert set(page_files()) == {path.name for path in FOLDER.iterdir()}
