"""Which pictures a model is shown: a grid, whole pairs, the slots kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_engines.messages import Image, Text, Video
from streaming.prompt.profiles import PROFILES
from streaming.prompt.slots import slots, steady
from tests.streaming.prompt.windows import picture, window

pytestmark = pytest.mark.unit

VIDEO = PROFILES["qwen35-video"]


def times(*seconds: int, paired: bool = True, most: int = 8) -> list[int]:
    """The seconds shown of pictures at ``seconds``."""
    frames = tuple(picture(1000 * second) for second in seconds)
    shown = slots(frames, period=1000, most=most, paired=paired, start=0)
    assert shown.origin == (shown.frames[0].t if frames else 0)
    return [frame.t // 1000 for frame in shown.frames]


@pytest.mark.parametrize(
    ("seen", "shown"),
    [
        (range(3, 11), [3, 4, 5, 6, 7, 8, 9, 10]),
        (range(4, 12), [5, 6, 7, 8, 9, 10, 11, 11]),
        (range(5), [1, 2, 3, 4]),
        ([0], [0, 0]),
        ([0, 1], [1, 1]),
        ([], []),
    ],
)
def test_pairs_are_cut_on_the_absolute_grid(seen: range, shown: list[int]) -> None:
    assert times(*seen) == shown


@given(start=st.integers(0, 10_000), length=st.integers(2, 9))
def test_two_pictures_are_a_pair_in_every_window(start: int, length: int) -> None:
    shown = times(*range(start, start + length))
    assert len(shown) in (2, 4, 6, 8)
    for first, second in zip(shown[::2], shown[1::2], strict=True):
        assert first % 2 == 1
        assert second - first in (0, 1)
    assert shown[-1] == start + length - 1


def test_images_need_no_pairs() -> None:
    assert times(*range(4, 12), paired=False) == [4, 5, 6, 7, 8, 9, 10, 11]


def test_a_hole_shows_what_was_shown_before_it() -> None:
    frames = tuple(picture(1000 * second) for second in (3, 4, 7))
    shown = slots(frames, period=1000, most=8, paired=False, start=0)
    assert [frame.jpeg for frame in shown.frames] == [frames[n].jpeg for n in (0, 1, 1, 1, 2)]


def test_pictures_off_the_grid_are_not_shown() -> None:
    frames = tuple(picture(500 * half) for half in range(7, 20))
    shown = slots(frames, period=1000, most=8, paired=False, start=0)
    assert [frame.t for frame in shown.frames] == [4000, 5000, 6000, 7000, 8000, 9000]


def test_a_still_picture_is_sent_as_the_one_before() -> None:
    first, second, third = picture(1000), picture(2000), picture(3000)
    same = replace(second, hash=first.hash)
    assert steady((first, same, third)) == (first, replace(same, jpeg=first.jpeg), third)


def test_a_picture_of_another_length_or_size_did_change() -> None:
    first = replace(picture(1000), jpeg=bytes(1000))
    longer = replace(picture(2000), hash=first.hash, jpeg=bytes(1011))
    wider = replace(picture(2000), hash=first.hash, jpeg=bytes(1000), width=65)
    near = replace(picture(2000), hash=first.hash, jpeg=b"1" * 1010)
    assert steady((first, longer))[1] is longer
    assert steady((first, wider))[1] is wider
    assert steady((first, near))[1].jpeg is first.jpeg


def test_a_video_is_one_part_between_two_texts() -> None:
    *_, user = VIDEO.render(window(10_000))
    video, after = user.parts
    assert isinstance(video, Video)
    assert [image.data for image in video.frames] == [
        b"shown at %d" % t for t in range(3_000, 11_000, 1_000)
    ]
    assert video.fps == 1.0
    assert isinstance(after, Text)
    assert after.text.endswith("Free <6.0> <7.0>\nUntil <7.0>".replace(">", " seconds>"))


def test_each_image_follows_its_time() -> None:
    *_, user = PROFILES["qwen35-images"].render(window(5_500, length=2_000))
    assert user.parts[:4] == (
        Text("<0.0 seconds>"),
        Image(b"shown at 4000"),
        Text("<1.0 seconds>"),
        Image(b"shown at 5000"),
    )


def test_a_window_without_pictures_has_no_video() -> None:
    *_, user = VIDEO.render(replace(window(5_000), frames=()))
    assert [type(part) for part in user.parts] == [Text]
