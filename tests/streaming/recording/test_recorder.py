"""A recording never grows past its limit, and its end never ends the run."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from strad.errors import InputError
from streaming.config import StreamConfig
from streaming.recording.lines import Header
from streaming.recording.reading import Recording
from streaming.recording.recorder import Keep, Recorder
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit

HEADER = Header(StreamConfig(), "fake", draft=True)


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("limit", [1_000, 10_000, 50_000])
def test_a_recording_ends_at_its_limit(tmp_path: Path, limit: int) -> None:
    with Recorder(tmp_path, HEADER, Keep.MEDIA, limit=limit) as recorder:
        for n in range(100):
            recorder.fact(chunk(100 * n))
    assert recorder.ended_early == "it would have grown past its limit"
    assert size(tmp_path) <= limit
    assert not Recording(tmp_path).complete()


def test_a_full_disk_ends_the_recording_alone(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with Recorder(folder, HEADER, Keep.MEDIA) as recorder:
        (folder / "frames").rmdir()
        recorder.fact(frame(0))
        recorder.fact(chunk(0))
    assert recorder.ended_early == "no such file or directory"
    assert [line["fact"] for line in Recording(folder).lines()] == []


def test_pictures_and_sound_are_kept_once_and_read_back(tmp_path: Path) -> None:
    sound = chunk(0)
    with Recorder(tmp_path, HEADER, Keep.MEDIA) as recorder:
        for fact in (frame(0), frame(1_000), sound, chunk(100)):
            recorder.fact(fact)
    assert list(Recording(tmp_path).facts(media=True)) == [
        frame(0),
        frame(1_000),
        sound,
        chunk(100),
    ]
    assert len(list((tmp_path / "frames").iterdir())) == 1


def test_the_folder_is_private_and_must_be_new(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "one"
    with Recorder(folder, HEADER):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with pytest.raises(InputError, match="is not empty"), Recorder(folder, HEADER):
        pass


def test_another_version_is_refused(tmp_path: Path) -> None:
    with Recorder(tmp_path, HEADER):
        pass
    file = tmp_path / "recording.jsonl"
    file.write_text(file.read_text().replace('"version":1', '"version":2'))
    with pytest.raises(InputError, match="is of version 2, and this reads 1"):
        Recording(tmp_path)
