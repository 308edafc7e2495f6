"""Tracks that come, go and move while the media runs: none ends it, none is cut off silently."""

from __future__ import annotations

import io
from pathlib import Path

import av
import pytest

from streaming.sources import Container
from tests.streaming.clips import Recipe, clip, loud
from tests.streaming.ingested import Ingested, ingest_bytes, ingest_file

pytestmark = pytest.mark.media

TONE = ((0.0, 8.0),)


def part(**changes: object) -> bytes:
    """Eight seconds of MPEG-TS, large enough that the next part isn't seen at the opening."""
    given: dict[str, object] = {
        "container": "mpegts",
        "seconds": 8,
        "gop": 30,
        "beeps": TONE,
        "options": {"x264-params": "threads=1:nal-hrd=cbr:filler=1:vbv-bufsize=400"}
        | {"b": "400k", "maxrate": "400k", "minrate": "400k", "bufsize": "400k"},
    }
    return clip(Recipe(**(given | changes)))  # type: ignore[arg-type]


def moved(pid: str = "0x300", **muxing: str) -> bytes:
    return part(muxing={"mpegts_start_pid": pid} | muxing)


def both(folder: Path, data: bytes) -> tuple[Ingested, Ingested]:
    """The same bytes as a file and live."""
    file = ingest_file(folder, data, "clip.ts")
    return file, ingest_bytes(data, Container.MPEGTS, size=32_768)


def whole(found: Ingested) -> bool:
    return found.times[:16] == [1000 * k for k in range(16)] and found.sound_ms >= 15_800


def test_tracks_that_move_to_other_pids_go_on(tmp_path: Path) -> None:
    for found in both(tmp_path, part() + moved()):
        assert whole(found)
        assert loud(found.pcm, 4)
        assert loud(found.pcm, 12)


def test_another_track_of_a_kind_takes_over_where_the_first_ends() -> None:
    out = io.BytesIO()
    whole_clip = clip(Recipe(container="mpegts", seconds=16, beeps=((0.0, 16.0),)))
    with av.open(io.BytesIO(whole_clip), "r") as given, av.open(out, "w", "mpegts") as made:
        kinds = [("video", 0), ("audio", 1), ("audio", 1)]
        tracks = [made.add_stream_from_template(given.streams[i]) for _, i in kinds]
        for packet in given.demux():
            if packet.size:
                late = packet.stream.type == "audio" and int(packet.pts or 0) > 6 * 90_000
                packet.stream = tracks[packet.stream.index + late]
                made.mux(packet)
    found = ingest_bytes(out.getvalue(), Container.MPEGTS)
    assert whole(found)
    assert loud(found.pcm, 4)
    assert loud(found.pcm, 14)


def test_another_programme_is_told_of(tmp_path: Path) -> None:
    other = moved(mpegts_service_id="7", mpegts_pmt_start_pid="0x900")
    for found in both(tmp_path, part() + other):
        assert found.times[:8] == [1000 * k for k in range(8)]
        assert found.notices == ["track-ignored", "track-ignored"]


def test_sound_that_comes_later_is_heard_in_a_file_and_told_of_live(tmp_path: Path) -> None:
    file, live = both(tmp_path, part(sound=None) + part())
    assert whole(file)
    assert loud(file.pcm, 12)
    assert whole(live)
    assert not loud(live.pcm, 12)
    assert "track-ignored" in live.notices


def test_sound_that_comes_later_in_a_live_flv_is_told_of() -> None:
    data = bytearray(clip(Recipe(container="flv", seconds=4, sound=None)))
    data += clip(Recipe(container="flv", seconds=4, beeps=TONE))[13:]
    found = ingest_bytes(bytes(data), Container.FLV)
    assert found.times[:8] == [1000 * k for k in range(8)]
    assert "track-ignored" in found.notices


@pytest.mark.parametrize("step", [499])
@pytest.mark.parametrize("container", ["flv", "mpegts"])
def test_corrupt_headers_of_tracks_are_lived_with(container: str, step: int) -> None:
    data = bytearray(clip(Recipe(container=container, seconds=4, gop=15, beeps=TONE)))
    for at in range(4_000, len(data), step):
        data[at] = at * 7 % 256
    found = ingest_bytes(bytes(data), Container(container))
    assert found.sound_ms > 2_000
