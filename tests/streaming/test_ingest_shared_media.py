"""Every clip of the shared media folder, where there is one: decoded whole, no crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from strad.errors import NoMediaError, NoVideoError
from streaming.sources import BytesSource, Container, FileSource
from tests.streaming.ingested import ingest, pieces

FOLDER = Path(__file__).parents[3] / "shared" / "media"

pytestmark = [
    pytest.mark.media,
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="no ../shared/media here"),
]

CLIPS = {
    "big_buck_bunny_0_30.webm": 30_000,
    "car-detection.mp4": 30_160,
    "flower-fragmented.mp4": 5_100,
    "friday.mp4": 6_166,
    "tears-of-steel-battle-clip-medium.webm": 70_500,
}
LIVE = {
    "big_buck_bunny_0_30.webm": Container.WEBM,
    "flower-fragmented.mp4": Container.MP4,
    "tears-of-steel-battle-clip-medium.webm": Container.WEBM,
}


@pytest.mark.parametrize(("name", "length"), CLIPS.items(), ids=CLIPS)
def test_a_clip_is_decoded_whole(name: str, length: int) -> None:
    found = ingest(FileSource(FOLDER / name))
    assert found.times == list(range(0, found.times[-1] + 1, 1000))
    assert found.times[-1] == pytest.approx(length, abs=1_001)
    assert found.sound_ms == pytest.approx(length, abs=100)
    assert found.notices == []


@pytest.mark.parametrize(("name", "container"), LIVE.items(), ids=LIVE)
def test_the_same_comes_out_of_live_bytes(name: str, container: Container) -> None:
    data = (FOLDER / name).read_bytes()
    live = ingest(BytesSource(container, pieces(data, 10_007)))
    whole = ingest(FileSource(FOLDER / name))
    assert [(f.t, f.hash) for f in live.frames] == [(f.t, f.hash) for f in whole.frames]
    assert live.sound_ms == pytest.approx(whole.sound_ms, abs=50)


def test_sound_alone_is_no_video() -> None:
    with pytest.raises(NoVideoError, match="no video"):
        ingest(FileSource(FOLDER / "jfk.flac"))


def test_captions_are_no_media() -> None:
    with pytest.raises(NoMediaError):
        ingest(FileSource(FOLDER / "friday.vtt"))
