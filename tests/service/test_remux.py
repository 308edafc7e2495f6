"""Remuxing: any file becomes Matroska that can be read as it comes; a bad one is a typed error."""

from __future__ import annotations

import asyncio
import io
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from clients.python.pace import Pace
from service import remux as remuxing
from service.remux import remuxed, remuxed_since
from strad.errors import DecoderError, InputError, MediaError, NoMediaError, StradError
from tests import virtual_time

pytestmark = pytest.mark.media


def film(path: Path, seconds: float = 2.0, codec: str = "mpeg4", *, noisy: bool = False) -> Path:
    """A small film with a moving square, or noise, and a silent track; ten pictures a second."""
    noise = np.random.default_rng(1)
    with av.open(str(path), "w") as container:
        video = container.add_stream(codec, rate=10)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        video.bit_rate = 1_000_000 if noisy else 100_000
        sound = container.add_stream("aac", rate=16_000)
        for n in range(int(seconds * 10)):
            image = np.zeros((48, 64, 3), np.uint8)
            image[:, n % 40 : n % 40 + 20] = 255
            if noisy:
                image = noise.integers(0, 255, image.shape, np.uint8)
            picture = av.VideoFrame.from_ndarray(image, format="rgb24")
            picture.pts, picture.time_base = n, Fraction(1, 10)
            container.mux(video.encode(picture))
            wave = np.zeros((1, 1_600), np.float32)
            tone = av.AudioFrame.from_ndarray(wave, format="fltp", layout="mono")
            tone.sample_rate, tone.pts = 16_000, n * 1_600
            tone.time_base = Fraction(1, 16_000)
            container.mux(sound.encode(tone))
        container.mux(video.encode(None))
        container.mux(sound.encode(None))
    return path


async def all_of(path: Path, pace: Pace = Pace.FAST) -> bytes:
    return b"".join([piece async for piece in remuxed(path, pace)])


@pytest.mark.parametrize("name", ["a.mp4", "a.avi", "a.mov", "a.mkv"])
def test_every_packet_arrives_in_matroska(tmp_path: Path, name: str) -> None:
    path = film(tmp_path / name)
    copied = asyncio.run(all_of(path))
    assert copied.startswith(b"\x1a\x45\xdf\xa3")
    with av.open(io.BytesIO(copied)) as copy, av.open(str(path)) as source:
        frames = sum(1 for _ in copy.decode(video=0))
        assert frames == sum(1 for _ in source.decode(video=0)) == 20
    with av.open(io.BytesIO(copied)) as copy:
        assert sum(frame.samples for frame in copy.decode(audio=0)) >= 1.9 * 16_000


def test_at_live_pace_it_takes_as_long_as_it_plays(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4")

    async def go() -> float:
        clock = asyncio.get_running_loop().time
        begun = clock()
        await all_of(path, Pace.LIVE)
        return clock() - begun

    assert 1.5 < asyncio.run(go()) < 3.5


def test_at_live_pace_what_was_seen_is_sent_at_once() -> None:
    async def pieces() -> AsyncIterator[tuple[int, bytes]]:
        for reached in (0, 4_000, 10_000, 12_000, 15_000):
            yield reached, b"x"

    async def go() -> list[float]:
        clock = asyncio.get_running_loop().time
        return [clock() async for _ in remuxing._paced(pieces(), Pace.LIVE, 10_000)]

    assert virtual_time.run(go()) == pytest.approx([0.0, 0.0, 0.0, 2.0, 5.0])


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", NoMediaError),
        (b"a text, and no film at all\n" * 20, NoMediaError),
        (b"ffconcat version 1.0\nfile secret.mp4\n", InputError),
        (b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n", InputError),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), MediaError),
    ],
)
def test_what_is_no_media_is_refused(tmp_path: Path, data: bytes, kind: type[StradError]) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(data)
    with pytest.raises(kind):
        asyncio.run(all_of(path))


def test_a_truncated_file_gives_what_it_has(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mkv", seconds=4)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    copied = asyncio.run(all_of(path))
    with av.open(io.BytesIO(copied)) as copy:
        assert 5 <= sum(1 for _ in copy.decode(video=0)) < 40


def test_leaving_early_leaves_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = film(tmp_path / "a.mp4", seconds=30)
    started: list[Process] = []
    start = remuxing._start

    async def remembered(file: str, since: int) -> Process:
        started.append(await start(file, since))
        return started[-1]

    monkeypatch.setattr(remuxing, "_start", remembered)

    async def go() -> None:
        pieces = remuxed(path, Pace.LIVE)
        await anext(pieces)
        await pieces.aclose()
        async with remuxed_since(path, Pace.LIVE, 0):
            pass

    asyncio.run(go())
    assert [process.returncode is None for process in started] == [False, False]


@pytest.mark.parametrize("name", ["a.mp4", "a.avi", "a.mkv"])
@pytest.mark.parametrize("since", [0, 7_300, 29_900])
def test_it_may_begin_at_a_keyframe_before_any_time(tmp_path: Path, name: str, since: int) -> None:
    path = film(tmp_path / name, seconds=30)

    async def go() -> tuple[int, bytes]:
        async with remuxed_since(path, Pace.FAST, since) as (begins, pieces):
            return begins, b"".join([piece async for piece in pieces])

    begins, copied = asyncio.run(go())
    assert max(0, since - 3_000) <= begins <= since + 100
    with av.open(io.BytesIO(copied)) as copy:
        first, *rest = list(copy.decode(video=0))
    assert first.key_frame
    assert len(rest) + 1 == pytest.approx((30_000 - begins) / 100, abs=2)


def test_a_child_that_dies_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remuxing.sys, "executable", "/bin/true")
    with pytest.raises(DecoderError, match="died"):
        asyncio.run(all_of(film(tmp_path / "a.mp4")))
