"""Pictures that last for minutes keep a file's own times; times that can't be are not believed."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from streaming.sources import Container
from tests.streaming.clips import Recipe, clip
from tests.streaming.ingested import Ingested, ingest_bytes, ingest_file

pytestmark = pytest.mark.media

STEP = 90
LEVELS = (30, 200, 80, 250, 130)


def slides(container: str, *, sound: bool = False) -> bytes:
    """Pictures at 0, 90, 180, 270 and 360 s; without sound some are decoded long before."""
    out = io.BytesIO()
    with av.open(out, "w", container) as made:
        order = "bframes=0:rc-lookahead=0:sync-lookahead=0" if sound else "bframes=3"
        options = {"x264-params": f"threads=1:{order}"}
        video = made.add_stream("libx264", rate=25, options=options)
        video.width, video.height, video.pix_fmt = 160, 120, "yuv420p"
        audio = made.add_stream("pcm_s16le", rate=8_000, layout="mono") if sound else None
        for index, level in enumerate(LEVELS):
            gray = np.full((120, 160), level, np.uint8)
            frame = av.VideoFrame.from_ndarray(gray, "gray").reformat(format="yuv420p")
            frame.pts, frame.time_base = index * STEP, Fraction(1)
            made.mux(video.encode(frame))
            for second in range(index * STEP, (index + 1) * STEP) if audio else ():
                tone = np.full((1, 8_000), 9_000, np.int16)
                heard = av.AudioFrame.from_ndarray(tone, "s16", "mono")
                heard.sample_rate, heard.pts = 8_000, second * 8_000
                made.mux(audio.encode(heard) if audio else [])
        made.mux(video.encode(None))
    return out.getvalue()


def shown(found: Ingested) -> dict[int, int]:
    """From which grid time on each level is shown, in seconds."""
    starts: dict[int, int] = {}
    for frame in found.frames:
        level = int(np.asarray(Image.open(io.BytesIO(frame.jpeg)).convert("L")).mean())
        nearest = min(LEVELS, key=lambda known: abs(known - level))
        starts.setdefault(nearest, frame.t // 1000)
    return starts


@pytest.mark.parametrize("container", ["mp4", "matroska"])
def test_slides_without_sound_keep_their_times(tmp_path: Path, container: str) -> None:
    found = ingest_file(tmp_path, slides(container), "slides")
    assert shown(found) == {level: k * STEP for k, level in enumerate(LEVELS)}
    assert found.times[:361] == [1000 * k for k in range(361)]
    assert found.notices == ["no-audio"]
    assert found.sound_ms >= 360_000


def test_the_last_picture_lasts_as_long_as_the_container_says(tmp_path: Path) -> None:
    data = bytearray(slides("matroska"))
    at = data.index(b"\x44\x89\x88") + 3
    data[at : at + 8] = np.array([450_000.0], ">f8").tobytes()
    found = ingest_file(tmp_path, bytes(data), "slides.mkv")
    assert found.times == [1000 * k for k in range(450)]


def test_sound_goes_on_under_a_long_picture(tmp_path: Path) -> None:
    found = ingest_file(tmp_path, slides("matroska", sound=True), "slides.mkv")
    assert "no-audio" not in found.notices
    assert "clock-jump" not in found.notices
    samples = np.frombuffer(found.pcm, "<i2")
    assert np.count_nonzero(samples > 1_000) > 0.99 * 450 * 16_000


def test_a_corrupt_time_makes_no_day_of_media() -> None:
    data = bytearray(clip(Recipe(container="mpegts", seconds=4, gop=15, beeps=((0, 4),))))
    for at in range(4_000, len(data), 1009):
        data[at] = at * 7 % 256
    found = ingest_bytes(bytes(data), Container.MPEGTS)
    assert found.sound_ms < 20_000
