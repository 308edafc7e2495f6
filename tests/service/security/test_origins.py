"""Origins: pages of this machine, of our own names and of listed origins are welcome."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest

from service.security.origins import OUR_EXTENSION, Origins
from tests import tree

pytestmark = pytest.mark.unit

ORIGINS = Origins(["https://player.example/"], ["AD.example.org"])


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "http://localhost:3000",
        "http://127.0.0.1",
        "http://[::1]:8000",
        "https://player.example",
        "HTTPS://Player.example",
        "https://ad.example.org",
        "http://ad.example.org:8000",
        "chrome-extension://ehkammohkdfnfmgmoplpnagfajmbbeao",
    ],
)
def test_these_are_welcome(origin: str | None) -> None:
    assert ORIGINS.welcome(origin)


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "http://player.example",
        "https://player.example:444",
        "https://player.example.evil.example",
        "https://evil.example/https://player.example",
        "http://127.0.0.1.evil.example",
        "http://127.0.0.1@evil.example",
        "http://[::1",
        "chrome-extension://aaaammohkdfnfmgmoplpnagfajmbbeao",
    ],
)
def test_these_are_not(origin: str) -> None:
    assert not ORIGINS.welcome(origin)


def test_our_extension_is_the_one_with_our_key() -> None:
    manifest = json.loads((tree.ROOT / "clients/extension/manifest.json").read_text("utf-8"))
    digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
    id_ = "".join(chr(ord("a") + int(letter, 16)) for letter in digest)
    assert f"chrome-extension://{id_}" == OUR_EXTENSION
