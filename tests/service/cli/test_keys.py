"""``strad keys``: a key is shown once, listed by its id, and gone when revoked."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from service.cli.main import application
from service.security.keys import KeyRing, read_keys
from service.settings import Auth
from strad.errors import InputError

pytestmark = pytest.mark.unit


def strad(*words: str) -> Result:
    return CliRunner().invoke(application(["keys"]), ["keys", *words])


def test_a_key_is_made_listed_and_revoked(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    made = strad("new", "--scope", "publish", "--stream", "news-*", "--file", str(file))
    assert made.exit_code == 0
    key = made.stdout.strip()
    caller = KeyRing(file, Auth()).find(key, 0.0)
    assert caller.streams == ("news-*",)
    (record,) = read_keys(file)
    strad("new", "--scope", "admin", "--scope", "subscribe", "--days", "1", "--file", str(file))
    assert len(read_keys(file)) == 2
    long = ",".join(["a" * 60, "b" * 60])
    strad("new", "--scope", "admin", "--name", long[:100], "--file", str(file))
    shown = strad("list", "--file", str(file)).stdout
    assert record.id in shown
    assert long[:100] in shown, "whole lines, for programs"
    assert key not in shown
    assert record.sha256 not in shown
    assert strad("revoke", record.id, "--file", str(file)).exit_code == 0
    assert record.id not in [left.id for left in read_keys(file)]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("revoke 0123 --file {file}", "no key '0123'"),
        ("list --file {file}x", "can't be read"),
        ("new --scope publish --stream a/b --file {file}", "stream pattern"),
        ("new --scope publish --file {file}/x", "can't be written"),
        ("list --file {text}", "text.mp4: no file of keys: Invalid JSON"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, words: str, why: str) -> None:
    file = tmp_path / "keys.json"
    strad("new", "--scope", "admin", "--file", str(file))
    (text := tmp_path / "text.mp4").write_text("no keys")
    result = strad(*words.format(file=file, text=text).split())
    assert isinstance(result.exception, InputError)
    assert why in str(result.exception)
