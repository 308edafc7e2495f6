"""Skipping what need not be decoded shows the very frames that decoding everything would."""

from __future__ import annotations

import io
from typing import TypeAlias

import av
import pytest

from streaming.decoding.pictures import PictureSampler, RateGauge, ticks_to_ms
from streaming.decoding.screen import EvenGrid, Grid, ListedGrid, Screen
from tests.streaming.clips import Recipe, clip, webm

pytestmark = pytest.mark.media

Shown: TypeAlias = list[tuple[int, int]]
"""Grid time and PTS, both in ms."""

RECIPES = {
    "h264 B-pyramid, GOP 2 s": Recipe(sound=None, gop=60),
    "h264, odd GOP": Recipe(sound=None, gop=47),
    "h264, GOP longer than the clip": Recipe(sound=None, gop=300),
    "h264, all keyframes": Recipe(sound=None, gop=1),
    "h264, open GOP": Recipe(
        sound=None, gop=40, options={"x264-params": "open-gop=1:bframes=3:b-adapt=0:threads=1"}
    ),
    "h264, 1 fps with B-frames": Recipe(sound=None, fps=1, seconds=12, gop=5),
    "h264, 7 fps": Recipe(sound=None, fps=7, seconds=5, gop=11),
    "hevc": Recipe(
        sound=None, codec="libx265", gop=40, options={"x265-params": "log-level=0:pools=1"}
    ),
    "mpeg4 B-frames": Recipe(sound=None, codec="mpeg4", gop=24, options={"bf": "2"}),
    "vp8": webm(sound=None, gop=50),
    "vp9": webm(sound=None, codec="libvpx-vp9", gop=50, seconds=3),
    "mjpeg": Recipe(sound=None, codec="mjpeg", container="matroska", options={"strict": "-1"}),
}


def sampled(data: bytes, grid: Grid, *, prompt: bool) -> tuple[Shown, int]:
    """What is shown when, and how many frames the decoder let out."""
    shown: Shown = []
    with av.open(io.BytesIO(data)) as container:
        stream = container.streams.video[0]
        base, start = stream.time_base, stream.start_time or 0
        assert base is not None

        def show(frame: av.VideoFrame, t: int) -> None:
            assert frame.pts is not None
            shown.append((t, ticks_to_ms(frame.pts, base)))

        out = 0

        def corrupt(bad: bool) -> None:
            nonlocal out
            assert not bad
            out += 1

        stream.codec_context.thread_count = 1
        screen = Screen(grid, show)
        sampler = PictureSampler(stream.codec_context, base, screen, corrupt, prompt=prompt)
        end = 0
        for packet in container.demux(stream):
            if packet.size and packet.pts is not None:
                packet.pts -= start
                packet.dts = None if packet.dts is None else packet.dts - start
                t = ticks_to_ms(packet.pts, base)
                end = max(end, t + ticks_to_ms(packet.duration or 0, base))
                sampler.push(packet, t)
        sampler.finish(end)
    return shown, out


def everything(data: bytes, grid: Grid) -> tuple[Shown, int]:
    """The same by decoding all of it."""
    with av.open(io.BytesIO(data)) as container:
        stream = container.streams.video[0]
        base, start = stream.time_base, stream.start_time or 0
        assert base is not None
        frames = [f for f in container.decode(stream) if f.pts is not None]
        times = [ticks_to_ms((f.pts or 0) - start, base) for f in frames]
        end = times[-1] + int(1000 / (stream.average_rate or 30))
    wanted = [grid.time(i) for i in range(1000) if grid.time(i) < end]
    return [(g, max(t for t in times if t <= g)) for g in wanted], len(frames)


@pytest.mark.parametrize("prompt", [True, False], ids=["live", "file"])
@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
def test_the_frames_shown_are_those_of_decoding_everything(recipe: Recipe, prompt: bool) -> None:
    data = clip(recipe)
    assert sampled(data, EvenGrid(1), prompt=prompt)[0] == everything(data, EvenGrid(1))[0]


@pytest.mark.parametrize("fps", [0.5, 3.0, 29.0])
def test_other_grids_are_exact_too(fps: float) -> None:
    data = clip(Recipe(sound=None, gop=47))
    assert sampled(data, EvenGrid(fps), prompt=True)[0] == everything(data, EvenGrid(fps))[0]


@pytest.mark.parametrize("name", ["h264, odd GOP", "h264, open GOP", "h264, 7 fps", "vp8"])
@pytest.mark.parametrize("times", [(0, 1, 40, 41, 1_993, 2_000, 2_010), (0, 3_500), (0, 9_000)])
def test_listed_times_are_exact_and_no_other_is_shown(name: str, times: tuple[int, ...]) -> None:
    data, grid = clip(RECIPES[name]), ListedGrid(times)
    shown, decoded = sampled(data, grid, prompt=False)
    expected, total = everything(data, grid)
    assert shown == expected
    assert decoded <= total


def test_most_frames_are_not_decoded() -> None:
    data = clip(Recipe(sound=None, gop=30, seconds=6))
    decoded, total = sampled(data, EvenGrid(1), prompt=False)[1], everything(data, EvenGrid(1))[1]
    assert decoded < 0.2 * total


def test_the_gauge_tells_pictures_a_second() -> None:
    gauge = RateGauge()
    for t in range(1100):
        gauge.push(t)
    assert gauge.rate == pytest.approx(1000, abs=2)
