"""The web clients: their own tests, the protocol's types, and the files that are shipped."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

from tests import tree

CLIENTS = tree.ROOT / "clients"
DIST = CLIENTS / "player" / "dist"
MOST = 60_000
"""Bytes of the core, as it is sent."""

pytestmark = [
    pytest.mark.service,
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or not (CLIENTS / "node_modules" / "esbuild").exists(),
        reason="needs node and the pinned packages: make clients",
    ),
]


def node(*words: str) -> str:
    done = subprocess.run(
        ["node", *words], cwd=CLIENTS, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    return done.stdout


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_core_passes_its_own_tests() -> None:
    assert "# fail 0" in node("web/test.js")


def test_the_protocols_types_are_those_of_the_schemas(tmp_path: Path) -> None:
    node("web/protocol.js", str(tmp_path))
    assert contents(tmp_path) == contents(CLIENTS / "web" / "src" / "protocol")


def test_a_rebuild_gives_the_bytes_that_are_shipped(tmp_path: Path) -> None:
    node("web/build.js", str(tmp_path / "dist"))
    assert contents(tmp_path / "dist") == contents(DIST)


def test_what_a_page_embeds_is_small() -> None:
    for name in ("strad-describe.js", "player.js"):
        assert len(gzip.compress((DIST / name).read_bytes(), 9)) < MOST
