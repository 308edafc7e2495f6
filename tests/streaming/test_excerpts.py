"""Excerpts of a film are what a whole decoding of it shows there, wherever seeking lands."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from strad.errors import NoMediaError
from strad.timeline import Interval, Ms
from streaming.decoding.spans import Wanted, inside, moments, stretches
from streaming.excerpts import Excerpt, OutsideError, excerpts
from streaming.prompt.wav import wav
from streaming.sources import FileSource
from tests.streaming.clips import Recipe, clip, loud, number_of, webm
from tests.streaming.ingested import ingest

pytestmark = pytest.mark.media

FRAME: Ms = 100
LOOKS: dict[str, Any] = {"seconds": 16, "gop": 20, "fps": 10, "size": (96, 54)}
RECIPES = {
    "mp4": Recipe(**LOOKS, beeps=((7.0, 8.0),)),
    "late": Recipe(**LOOKS, start=5.0, beeps=((7.0, 8.0),)),
    "ts": Recipe("mpegts", **LOOKS, beeps=((7.0, 8.0),)),
    "webm": webm(**LOOKS, beeps=((7.0, 8.0),)),
}
SPANS = [(13_000, 15_100), (6_000, 9_000), (6_500, 7_500), (400, 1_800)]
LATE: Ms = 200
"""A clock that starts a little after 0 is left as it is, as it is in a whole decoding."""


def cut(
    film: Path, spans: list[tuple[Ms, Ms]], *, sound: bool = True
) -> list[Excerpt | OutsideError]:
    async def read() -> list[Excerpt | OutsideError]:
        wanted = [Interval(*span) for span in spans]
        async with aclosing(excerpts(film, wanted, count=8, sound=sound)) as found:
            return [one async for one in found]

    return asyncio.run(read())


@pytest.fixture(params=RECIPES)
def film(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    recipe = RECIPES[request.param]
    path = tmp_path / f"film.{recipe.container}"
    path.write_bytes(clip(recipe))
    return path


def test_each_span_has_its_pictures_and_its_sound(film: Path) -> None:
    whole = {frame.t: number_of(frame.jpeg) for frame in ingest(FileSource(film)).frames}
    found = cut(film, SPANS)
    assert [one.number for one in found] == [3, 1, 2, 0]
    for one in found:
        assert isinstance(one, Excerpt)
        assert one.when == Interval(*SPANS[one.number])
        times = moments(one.when, 8)
        assert tuple(frame.t for frame in one.frames) == times
        shown = [number_of(frame.jpeg) for frame in one.frames]
        at = [number * FRAME for number in shown]
        assert all(t - FRAME - LATE < seen <= t for seen, t in zip(at, times, strict=True)), shown
        assert all(whole.get(t, n) == n for t, n in zip(times, shown, strict=True))
    one = next(one for one in found if one.number == 1)
    assert isinstance(one, Excerpt)
    pcm = wav(one.audio, one.when)[44:]
    assert len(pcm) == 3 * 32_000
    heard = [loud(pcm, t) for t in (0.5, 1.5, 2.5)]
    assert heard == [False, True, False]


def test_what_the_film_does_not_have_is_told_and_the_rest_is_there(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(clip(RECIPES["mp4"]))
    found = cut(path, [(30_000, 33_000), (14_000, 18_000), (-2_000, 1_000)], sound=False)
    begins, ends, outside = found
    assert isinstance(begins, Excerpt)
    assert (begins.when, begins.audio) == (Interval(0, 1_000), ())
    assert isinstance(ends, Excerpt)
    assert ends.when.start == 14_000
    assert 15_900 <= ends.when.end <= 16_100
    assert isinstance(outside, OutsideError)
    assert outside.number == 0
    assert "nothing from 30.0 to 33.0 s" in str(outside)


def test_a_file_that_is_no_film_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"no film at all" * 100)
    with pytest.raises(NoMediaError):
        cut(path, [(0, 1_000)])


def test_moments_are_even_and_hold_both_ends() -> None:
    assert moments(Interval(1_000, 8_000), 8) == tuple(range(1_000, 8_001, 1_000))
    assert moments(Interval(0, 1_000), 1) == (500,)


def test_neighbours_are_one_stretch_and_none_grows_without_end() -> None:
    near = Wanted(((0, 2_000), (5_000, 7_000), (20_000, 22_000)), 2, sound=False)
    assert [stretch.when for stretch in stretches(near, None)] == [
        Interval(0, 7_000),
        Interval(20_000, 22_000),
    ]
    dense = Wanted(tuple((t, t + 5_000) for t in range(0, 300_000, 1_000)), 8, sound=True)
    found = list(stretches(dense, 250_000))
    assert sum(stretch.spans for stretch in found) == 250
    assert max(stretch.when.duration for stretch in found) <= 65_000
    assert inside(Interval(250_000, 255_000), 250_000) is None
