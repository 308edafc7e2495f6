"""Live streams are recorded where it is asked for; one that can't be is described all the same."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from clients.python.address import StreamAddress
from service.cli.rerun import _report, _same
from strad.wire.viewing import Ad
from streaming.recording.reading import Recording
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, live_service
from tests.service.publishing import publishing, watched

pytestmark = pytest.mark.service


def streamed(record: str) -> list[Ad]:
    """Twelve seconds, published and watched; what was said."""

    async def one(address: StreamAddress) -> list[Ad]:
        async with asyncio.TaskGroup() as tasks:
            viewer = tasks.create_task(watched(address))
            async with publishing(address) as publisher:
                await publisher.until("ready")
                await publisher.media(b"q" * 12)
                await publisher.tell(type="finish")
                await publisher.until("summary")
        _, ads, _ = viewer.result()
        return ads

    async def go() -> list[Ad]:
        async with live_service(Workshop().equipment(), replace(SETTINGS, record=record)) as live:
            return await one(live.address())

    return asyncio.run(go())


def test_a_recorded_stream_is_run_again_to_the_same_descriptions(tmp_path: Path) -> None:
    ads = streamed(str(tmp_path / "runs"))
    (folder,) = (tmp_path / "runs").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.name for path in folder.iterdir()} == {"recording.jsonl"}
    recording = Recording(folder)
    assert recording.complete()
    again = _report(_same(recording), recording.header.config)
    assert ads
    assert [cue.text for cue in again.cues()] == [
        ad.text for ad in sorted(ads, key=lambda ad: ad.start)
    ]


def test_nothing_is_recorded_where_nobody_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert streamed("")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_costs_no_stream(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("mine")
    assert streamed(str(tmp_path / "file"))
    assert "is not recorded" in caplog.text
