"""A video is looked at in steps that miss nothing and hold little."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.media import VideoFrame
from streaming.tasks.document.looking import MOST_FRAMES, Step, steps
from tests.fakes import frame

pytestmark = pytest.mark.unit


def cut(times: list[int], length: int, duration: int) -> list[Step]:
    async def frames() -> AsyncIterator[VideoFrame]:
        for t in times:
            yield frame(t)

    async def all_steps() -> list[Step]:
        return [step async for step in steps(frames(), length, duration)]

    return asyncio.run(all_steps())


def test_each_step_has_its_pictures_and_the_one_before() -> None:
    found = cut([0, 1_000, 2_000, 3_000, 4_000, 5_000], 2_000, 5_500)
    assert [(s.when.start, s.when.end, [f.t for f in s.frames]) for s in found] == [
        (0, 2_000, [0, 1_000, 2_000]),
        (2_000, 4_000, [2_000, 3_000, 4_000]),
        (4_000, 5_500, [4_000, 5_000]),
    ]


@given(
    st.sets(st.integers(0, 60), max_size=40),
    st.integers(1, 30),
    st.integers(0, 70),
)
def test_every_picture_is_in_one_step_and_none_later_than_it(
    seconds: set[int], length: int, duration: int
) -> None:
    times = sorted(1_000 * s for s in seconds)
    length, duration = 1_000 * length, max(1_000 * duration, times[-1] if times else 0)
    found = cut(times, length, duration)
    assert [s.number for s in found] == list(range(len(found)))
    assert len(found) == -(-duration // length)
    shown = [f.t for step in found for f in step.frames if f.t > step.when.start]
    assert shown == sorted(set(shown))
    for step in found:
        assert len(step.frames) <= MOST_FRAMES
        assert all(f.t <= step.when.end for f in step.frames)
        assert step.has_new == any(step.when.start < t <= step.when.end for t in times)
    if length < 1_000 * MOST_FRAMES:
        assert shown == [t for t in times if t > 0]
