"""Real media in, in every shape it really comes: what comes out, and when it ends in an error."""

from __future__ import annotations

import io
from pathlib import Path

import av
import pytest
from PIL import Image

from strad.errors import (
    InputError,
    MediaError,
    NoMediaError,
    NoVideoError,
    RefusedSourceError,
    StradError,
)
from streaming.ingest import IngestOptions
from streaming.sources import Container, FileSource
from tests.streaming.clips import Recipe, clip, faststart, fragmented, loud, number_of, webm
from tests.streaming.ingested import ingest, ingest_bytes, ingest_file

pytestmark = pytest.mark.media

BEEP = ((1.0, 1.5),)


def test_a_file_gives_the_pictures_of_the_grid_and_gapless_sound(tmp_path: Path) -> None:
    found = ingest_file(tmp_path, clip(Recipe(beeps=BEEP)))
    assert found.times == [0, 1000, 2000, 3000, 4000][: len(found.times)]
    assert [number_of(frame.jpeg) for frame in found.frames[:4]] == [0, 30, 60, 90]
    assert {(frame.width, frame.height) for frame in found.frames} == {(320, 180)}
    assert 4000 <= found.sound_ms <= 4050
    assert loud(found.pcm, 1.25)
    assert not loud(found.pcm, 0.9)
    assert not loud(found.pcm, 1.6)
    assert found.notices == []


def test_pictures_and_sound_interleave(tmp_path: Path) -> None:
    found = ingest_file(tmp_path, clip(Recipe(seconds=8)))
    newest = 0
    for item in [*found.frames, *found.chunks]:
        assert item in found.items
    for item in found.items:
        t = getattr(item, "t", 0)
        assert t > newest - 2_000
        newest = max(newest, t)


def test_a_finer_grid_and_a_smaller_picture(tmp_path: Path) -> None:
    options = IngestOptions(fps=4, max_width=100)
    found = ingest_file(tmp_path, clip(Recipe(seconds=2)), options=options)
    assert found.times[:8] == [0, 250, 500, 750, 1000, 1250, 1500, 1750]
    assert (found.frames[0].width, found.frames[0].height) == (100, 56)


def test_no_sound_is_silence_and_said_once(tmp_path: Path) -> None:
    found = ingest_file(tmp_path, clip(Recipe(sound=None)))
    assert found.notices == ["no-audio"]
    assert found.pcm == bytes(4000 * 32)


def test_no_video_in_a_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NoVideoError, match="no video"):
        ingest_file(tmp_path, clip(Recipe(video=False)))


def test_a_file_that_is_only_listened_to_need_hold_no_video(tmp_path: Path) -> None:
    options = IngestOptions(sound_alone=True)
    found = ingest_file(tmp_path, clip(Recipe(video=False, beeps=BEEP)), options=options)
    assert not found.frames
    assert loud(found.pcm, 1.25)
    assert not loud(found.pcm, 0.9)


def test_no_video_live_is_a_notice() -> None:
    found = ingest_bytes(clip(webm(video=False, beeps=BEEP)), Container.WEBM)
    assert found.notices == ["no-video"]
    assert loud(found.pcm, 1.25)


def test_sound_that_ends_early_goes_on_as_silence(tmp_path: Path) -> None:
    short = tmp_path / "short.mkv"
    whole = io.BytesIO(clip(Recipe(container="matroska", seconds=6, beeps=((0, 6),))))
    with av.open(whole) as given, av.open(str(short), "w") as out:
        tracks = [out.add_stream_from_template(stream) for stream in given.streams]
        for packet in given.demux():
            late = packet.stream.type == "audio" and (packet.pts or 0) > 2000
            if packet.size and not late:
                packet.stream = tracks[packet.stream.index]
                out.mux(packet)
    found = ingest(FileSource(short))
    assert loud(found.pcm, 1.9)
    assert not loud(found.pcm, 2.5)
    assert found.sound_ms >= 6000


def test_a_hole_is_filled_and_time_goes_on(tmp_path: Path) -> None:
    recipe = Recipe(container="mpegts", seconds=6, hole=(2.0, 4.0), beeps=((0, 2), (4.5, 5)))
    found = ingest_bytes(clip(recipe), Container.MPEGTS)
    assert found.times[:6] == [0, 1000, 2000, 3000, 4000, 5000]
    assert loud(found.pcm, 1.5)
    assert not loud(found.pcm, 3.0)
    assert loud(found.pcm, 4.75)
    assert found.notices == []


def test_the_size_may_change(tmp_path: Path) -> None:
    parts = [Recipe(container="mpegts", seconds=2, size=size) for size in ((320, 240), (640, 360))]
    found = ingest_bytes(b"".join(map(clip, parts)), Container.MPEGTS)
    sizes = [(frame.width, frame.height) for frame in found.frames]
    assert sizes[0] == (320, 240)
    assert sizes[-1] == (640, 360)
    assert "size-change" in found.notices


def test_joined_recordings_go_on_rising() -> None:
    part = clip(Recipe(container="mpegts", seconds=3, beeps=BEEP))
    found = ingest_bytes(part + part, Container.MPEGTS)
    assert found.notices == ["clock-jump"]
    assert found.times[:6] == [0, 1000, 2000, 3000, 4000, 5000]
    assert 5_900 <= found.sound_ms <= 6_200
    assert loud(found.pcm, 1.25)
    assert loud(found.pcm, 4.3)
    assert not loud(found.pcm, 3.5)


def test_a_clock_that_wraps_goes_on_rising() -> None:
    wrap = (1 << 33) / 90_000
    recipe = Recipe(container="mpegts", seconds=4, start=int(wrap) - 3.4, beeps=BEEP)
    found = ingest_bytes(clip(recipe), Container.MPEGTS)
    assert found.times[:4] == [0, 1000, 2000, 3000]
    assert 3_950 <= found.sound_ms <= 4_200
    assert loud(found.pcm, 1.3)


def test_a_republished_stream_jumps_back_and_goes_on() -> None:
    part = clip(Recipe(container="flv", seconds=3, beeps=BEEP))
    found = ingest_bytes(part + part[13:], Container.FLV)
    assert found.times[:6] == [0, 1000, 2000, 3000, 4000, 5000]
    assert loud(found.pcm, 4.3)
    assert not loud(found.pcm, 3.5)


def test_a_leap_forward_is_not_waited_through() -> None:
    parts = [Recipe(container="mpegts", seconds=2, start=start) for start in (0, 5_000)]
    found = ingest_bytes(b"".join(map(clip, parts)), Container.MPEGTS)
    assert "clock-jump" in found.notices
    assert found.sound_ms < 4_300


def test_a_thousand_pictures_a_second_are_sampled(tmp_path: Path) -> None:
    recipe = Recipe(fps=1000, seconds=3, size=(64, 36), gop=100, sound=None)
    found = ingest_file(tmp_path, clip(recipe))
    assert found.times == [0, 1000, 2000]
    assert "frame-rate-capped" in found.notices


def test_flipped_bytes_are_lived_with() -> None:
    data = bytearray(clip(webm(seconds=6, gop=30)))
    for at in range(4_000, len(data), 997):
        data[at] ^= 0x55
    found = ingest_bytes(bytes(data), Container.WEBM)
    assert len(found.frames) >= 4
    assert found.sound_ms > 4_000


@pytest.mark.parametrize("size", [16, 200, 600, 1200, 3000])
def test_a_file_cut_short_ends_in_one_clear_line(tmp_path: Path, size: int) -> None:
    data = faststart(Recipe(seconds=1))[:size]
    with pytest.raises(MediaError) as told:
        ingest_file(tmp_path, data)
    assert "\n" not in str(told.value)


def test_a_file_cut_in_the_middle_gives_what_it_has(tmp_path: Path) -> None:
    data = faststart(Recipe(gop=15))
    found = ingest_file(tmp_path, data[: len(data) * 6 // 10])
    assert found.times[:2] == [0, 1000]


def test_what_is_no_media_is_named(tmp_path: Path) -> None:
    image = tmp_path / "still.png"
    Image.new("RGB", (64, 64), "red").save(image)
    Image.new("RGB", (64, 64), "red").save(tmp_path / "still.jpg")
    (tmp_path / "text.mp4").write_text("These are words, not pictures.\n" * 50)
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "list.mp4").write_text("ffconcat version 1.0\nfile still.png\n")
    cases: dict[str, tuple[type[StradError], str]] = {
        "still.png": (MediaError, "an? .*image, not a video"),
        "still.jpg": (MediaError, "an? .*image, not a video"),
        "text.mp4": (NoMediaError, "no media that can be decoded"),
        "empty.mp4": (NoMediaError, "is empty"),
        "list.mp4": (RefusedSourceError, "ffconcat"),
        "missing.mp4": (InputError, "no such file"),
        ".": (InputError, "is a directory"),
    }
    for name, (kind, text) in cases.items():
        with pytest.raises(kind, match=text):
            ingest(FileSource(tmp_path / name))


def test_a_name_that_looks_like_a_protocol_is_only_a_name(tmp_path: Path) -> None:
    odd = tmp_path / "concat:a|b%d.mp4"
    odd.write_bytes(clip(Recipe(seconds=1)))
    assert ingest(FileSource(odd)).times[0] == 0


def test_a_live_mp4_must_be_fragmented() -> None:
    with pytest.raises(NoMediaError, match="fragmented"):
        ingest_bytes(clip(Recipe()), Container.MP4)


def test_a_reconnect_without_its_header_asks_for_it() -> None:
    data = clip(webm())
    cluster = data.index(b"\x1f\x43\xb6\x75")
    with pytest.raises(NoMediaError, match="header"):
        ingest_bytes(data[cluster:], Container.WEBM)


def test_tiny_clusters_and_a_second_header_are_decoded() -> None:
    data = clip(webm(muxing={"cluster_time_limit": "100", "live": "1"}, seconds=3))
    found = ingest_bytes(data + data, Container.WEBM, size=311)
    assert found.times[:3] == [0, 1000, 2000]
    assert found.sound_ms > 2_900


def test_two_init_segments_are_survived() -> None:
    data = clip(fragmented(seconds=2))
    moof = data.index(b"moof") - 4
    found = ingest_bytes(data[:moof] + data, Container.MP4)
    assert found.times[:2] == [0, 1000]
