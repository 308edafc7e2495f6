"""API keys: hashed on disk, found in constant time, revoked while the service runs."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from service.security.caller import Scope
from service.security.keys import KeyRing, new_key, read_keys, write_keys
from service.settings import Auth
from strad.errors import FormatError, InputError, UnauthorizedError

pytestmark = pytest.mark.unit


def test_the_file_holds_no_key_and_is_the_owners(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    key, record = new_key([Scope.PUBLISH], ["news-*"], name="studio")
    write_keys(file, [record])
    assert key.split(".")[-1] not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_keys(file) == (record,)
    assert key.split(".")[-1] not in repr(record)
    assert record.sha256 not in repr(record)


def test_only_the_whole_key_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    key, record = new_key([Scope.PUBLISH], ["news-*"])
    write_keys(file, [record])
    ring = KeyRing(file, Auth())
    caller = ring.find(key, 0.0)
    assert (caller.id, caller.streams) == (f"key:{record.id}", ("news-*",))
    for wrong in (key[:-1], key + "x", "", record.sha256, f"strad-key.{record.id}.", "\ud800"):
        with pytest.raises(UnauthorizedError, match="not known here"):
            ring.find(wrong, 0.0)


def test_a_revoked_key_is_refused_a_second_later(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    made = [new_key([Scope.SUBSCRIBE]) for _ in range(2)]
    write_keys(file, [record for _, record in made])
    ring = KeyRing(file, Auth())
    key, record = made[0]
    write_keys(file, [made[1][1]])
    assert ring.holds(f"key:{record.id}", 0.5)
    assert not ring.holds(f"key:{record.id}", 2.0)
    with pytest.raises(UnauthorizedError):
        ring.find(key, 2.1)
    ring.find(made[1][0], 2.2)


def test_a_file_that_breaks_or_goes_away_changes_nothing_and_is_complained_of(
    tmp_path: Path,
) -> None:
    file = tmp_path / "keys.json"
    key, record = new_key([Scope.SUBSCRIBE])
    write_keys(file, [record])
    ring = KeyRing(file, Auth())
    file.write_text("{")
    ring.find(key, 2.0)
    assert "keys.json" in ring.complaint
    file.unlink()
    ring.find(key, 4.0)
    assert "no such file" in ring.complaint
    write_keys(file, [])
    with pytest.raises(UnauthorizedError):
        ring.find(key, 6.0)
    assert ring.complaint == ""


@pytest.mark.parametrize(
    "text",
    [
        "{}x",
        '{"keys": [{"id": "x"}]}',
        '{"strad": "other"}',
        '{"keys": [], "more": 1}',
    ],
)
def test_a_file_of_another_form_is_refused_at_start(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text)
    with pytest.raises(FormatError, match=r"keys\.json"):
        KeyRing(file, Auth())
    with pytest.raises(InputError, match="can't be read"):
        KeyRing(tmp_path / "other", Auth())


def test_a_records_own_quota_wins_over_the_settings() -> None:
    _, record = new_key([Scope.PUBLISH])
    own = record.model_copy(update={"max_streams": 0, "max_requests": 2.5})
    quota = own.caller(Auth(streams=3, viewers=4)).quota
    assert (quota.streams, quota.viewers, quota.requests) == (0, 4, 2.5)


def test_two_writers_leave_one_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    for n in range(5):
        write_keys(file, [new_key([Scope.PUBLISH])[1] for _ in range(n)])
        assert len(json.loads(file.read_text())["keys"]) == n
    assert os.listdir(tmp_path) == ["keys.json"]
