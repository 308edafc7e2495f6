"""Framed media through the guarded child, and media that begins late on the stream's timeline."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterable

import numpy as np
import pytest
from PIL import Image

from strad.errors import MediaError, NoMediaError
from strad.wire.framed import Framed, picture, sound
from streaming.decoding.framed import RECORD
from streaming.sources import BytesSource, Container
from tests.streaming.clips import Recipe, clip, fragmented, loud, number_of, webm
from tests.streaming.ingested import Ingested, ingest, pieces

pytestmark = pytest.mark.media


def jpeg(shade: int, size: tuple[int, int] = (320, 180)) -> bytes:
    out = io.BytesIO()
    Image.new("L", size, shade).convert("RGB").save(out, "JPEG")
    return out.getvalue()


def shade_of(data: bytes) -> int:
    return int(np.asarray(Image.open(io.BytesIO(data)).convert("L")).mean())


def tone(seconds: float, rate: int = 16_000) -> bytes:
    t = np.arange(int(seconds * rate)) / rate
    return (np.sin(2 * np.pi * 440 * t) * 12_000).astype("<i2").tobytes()


def bomb() -> bytes:
    """A small JPEG whose header claims 65,000 pixels a side."""
    data = jpeg(10, (8, 8))
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + (65_000).to_bytes(2, "big") * 2 + data[at + 9 :]


async def records(messages: Iterable[Framed]) -> AsyncIterator[bytes]:
    for message in messages:
        data = message.to_bytes()
        yield RECORD.pack(len(data)) + data


def ingest_framed(*messages: Framed, begins: int = 0) -> Ingested:
    return ingest(BytesSource(Container.FRAMED, records(messages), begins))


def test_pictures_are_put_on_the_grid() -> None:
    messages = [picture(t, jpeg(40 + t // 50)) for t in (0, 400, 900, 1_300, 2_600, 3_000)]
    found = ingest_framed(*messages)
    assert found.times == [0, 1_000, 2_000, 3_000]
    shades = [shade_of(frame.jpeg) for frame in found.frames]
    assert shades == pytest.approx([40, 58, 66, 100], abs=3)
    assert (found.frames[0].width, found.frames[0].height) == (320, 180)
    assert found.sound_ms == 3_000
    assert not any(found.pcm)


@pytest.mark.parametrize("rate", [16_000, 48_000])
def test_sound_lies_where_its_time_says_and_holes_are_silent(rate: int) -> None:
    messages = [
        picture(0, jpeg(90)),
        *(sound(n * 100_000, tone(0.1, rate), rate) for n in range(10)),
        *(sound(2_000_000 + n * 100_000, tone(0.1, rate), rate) for n in range(10)),
        picture(3_000, jpeg(90)),
    ]
    found = ingest_framed(*messages)
    assert found.sound_ms == pytest.approx(3_000, abs=2)
    assert [loud(found.pcm, t) for t in (0.5, 1.5, 2.5)] == [True, False, True]


def test_a_bomb_is_refused_by_its_header() -> None:
    with pytest.raises(MediaError, match="65000x65000 is too large"):
        ingest_framed(picture(0, jpeg(90)), picture(1_000, bomb()), picture(2_000, jpeg(90)))


def test_broken_pictures_are_passed_over() -> None:
    good = jpeg(90)
    broken = [good[:60], b"\xff\xd8\xff" + b"\xff" * 500, good[:200] + bytes(100)]
    messages = [picture(n * 1_000, broken[n % 3] if n % 4 else good) for n in range(12)]
    found = ingest_framed(*messages)
    assert found.times[0] == 0
    assert {shade_of(frame.jpeg) for frame in found.frames if frame.t % 4_000 == 0} <= {89, 90, 91}
    assert "corrupt-packets" in found.notices


def test_nothing_but_noise_holds_no_media() -> None:
    with pytest.raises(NoMediaError, match="nothing in it could be decoded"):
        ingest_framed(picture(0, b"\xff\xd8\xff" + b"\xff" * 500))


def test_what_is_late_goes_on_where_the_stream_stands() -> None:
    found = ingest_framed(
        *(picture(t, jpeg(90)) for t in (40_000, 41_600, 42_000, 43_000)),
        sound(40_000_000, tone(3.0)),
        begins=41_500,
    )
    assert found.times == [42_000, 43_000]
    assert found.chunks[0].t == 41_500
    assert found.chunks[-1].when.end == 43_000


def test_one_kind_of_media_that_does_not_come_is_told_of() -> None:
    only_sound = ingest_framed(*(sound(n * 1_000_000, tone(1.0)) for n in range(13)))
    only_pictures = ingest_framed(*(picture(n * 1_000, jpeg(90)) for n in range(13)))
    assert (only_sound.notices, only_pictures.notices) == (["no-video"], ["no-audio"])
    assert only_sound.sound_ms == 13_000


@pytest.mark.parametrize("begins", [0, 7_000, 41_500])
@pytest.mark.parametrize("kind", ["webm", "mp4", "mpegts"])
def test_a_container_begins_where_the_stream_stands(kind: str, begins: int) -> None:
    recipe = {
        "webm": webm(seconds=3, fps=25, start=100.0),
        "mp4": fragmented(seconds=3, fps=25),
        "mpegts": Recipe(container="mpegts", codec="mpeg2video", sound="mp2", seconds=3, fps=25),
    }[kind]
    found = ingest(BytesSource(Container(kind), pieces(clip(recipe)), begins))
    first = -(-begins // 1_000) * 1_000
    seen = [frame for frame in found.frames if frame.t < begins + 3_000]
    assert [frame.t for frame in seen] == list(range(first, begins + 3_000, 1_000))
    due = [(frame.t - begins) * 25 // 1_000 for frame in seen]
    assert [number_of(frame.jpeg) for frame in seen] == pytest.approx(due, abs=3)
    at = begins
    for chunk in found.chunks:
        assert chunk.t == at
        at = chunk.when.end
    assert at == pytest.approx(begins + 3_000, abs=120)
    assert found.notices == []
