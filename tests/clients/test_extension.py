"""The extension as it is packed: what it asks for is explained, and what tests need is left out."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests import tree

CLIENTS = tree.ROOT / "clients"
MOST = 60_000
"""Bytes of the core, gzipped."""

pytestmark = [
    pytest.mark.service,
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or not (CLIENTS / "node_modules" / "esbuild").exists(),
        reason="needs node and the pinned packages: make clients",
    ),
]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed") / "extension"
    words = ["node", "extension/build.js", str(folder)]
    subprocess.run(words, cwd=CLIENTS, check=True, timeout=120)
    return folder


def test_each_permission_is_explained_wherever_somebody_looks(packed: Path) -> None:
    manifest = json.loads((packed / "manifest.json").read_text("utf-8"))
    asked = set(manifest["permissions"])
    text = (packed / "PERMISSIONS.md").read_text("utf-8")
    assert set(re.findall(r"\*\*(\w+)\*\*", text)) == asked
    page = (packed / "options.html").read_text("utf-8")
    assert set(re.findall(r"<dt>(\w+)</dt>", page)) == asked
    assert all(
        f"`{each}`" in (tree.ROOT / "docs/extension.md").read_text("utf-8") for each in asked
    )
    assert not {"host_permissions", "content_scripts", "externally_connectable"} & set(manifest)


def test_what_is_packed_is_small_whole_and_without_the_tests_recorder(packed: Path) -> None:
    files = {path.name for path in packed.iterdir()}
    manifest = json.loads((packed / "manifest.json").read_text("utf-8"))
    named = {manifest["action"]["default_popup"], manifest["background"]["service_worker"]}
    named |= {manifest["options_ui"]["page"], *manifest["icons"].values(), "content.js", "LICENSE"}
    assert named <= files
    assert "shim.js" not in files
    assert "shim" not in (packed / "offscreen.html").read_text("utf-8")
    assert len(gzip.compress((packed / "offscreen.js").read_bytes(), 9)) < MOST
