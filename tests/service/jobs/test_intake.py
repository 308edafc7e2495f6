"""The intake: bounded in bytes and in time, whoever sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.jobs import intake as module
from service.jobs.intake import receive
from strad.errors import InputError, PeerGoneError, WorkError

pytestmark = pytest.mark.unit


async def sent(*pieces: bytes, pause: float = 0.0) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece
        await asyncio.sleep(pause)


def test_all_bytes_are_written_in_order(tmp_path: Path) -> None:
    file = tmp_path / "media"
    pieces = [bytes([n]) * 500_000 for n in range(5)]
    assert asyncio.run(receive(sent(*pieces), file, 10_000_000, 5.0)) == 2_500_000
    assert file.read_bytes() == b"".join(pieces)


def test_no_more_than_the_limit_and_no_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="may have 10 bytes"):
        asyncio.run(receive(sent(b"x" * 6, b"x" * 5), tmp_path / "a", 10, 5.0))
    with pytest.raises(InputError, match="empty"):
        asyncio.run(receive(sent(), tmp_path / "b", 10, 5.0))


def test_a_sender_that_is_silent_or_drips_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PeerGoneError, match=r"within 0\.1 s"):
        asyncio.run(receive(sent(*[b"x"] * 99, pause=0.02), tmp_path / "a", 1_000, 0.1))
    monkeypatch.setattr(module, "SILENCE", 0.05)
    with pytest.raises(PeerGoneError, match="nothing came"):
        asyncio.run(receive(sent(b"x", b"x", pause=3.0), tmp_path / "b", 1_000, 5.0))


def test_a_place_that_cant_be_written_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="can't be kept"):
        asyncio.run(receive(sent(b"x"), tmp_path / "none" / "a", 10, 5.0))
