"""A segment in each profile's own words, and what its answers mean."""

from __future__ import annotations

import wave
from io import BytesIO

import pytest

from strad.decision import WaitReason
from strad.timeline import Interval
from strad_engines.messages import Audio, Image, Text, Video
from streaming.describers.strad_ft.known_window import known_window
from streaming.media import AudioChunk, VideoFrame
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import PROFILES
from streaming.prompt.segment import read_segment, segment_line, segment_messages
from streaming.tasks.segments.segment import Clip

pytestmark = pytest.mark.unit

JPEG = known_window(1).frames[0].jpeg
SHOWN, MOMENT = Interval(100_000, 107_000), Interval(102_000, 104_600)
CLIP = Clip(
    MOMENT,
    SHOWN,
    tuple(VideoFrame(t, JPEG, 320, 184, 0) for t in range(100_000, 107_001, 1_000)),
    (AudioChunk(100_000, bytes(2 * 16 * 7_000)),),
)
NAMES = ["Anna (red box)", "<Bo> (blue box)"]


def parts(profile: Profile, clip: Clip = CLIP, names: list[str] | None = None) -> list[object]:
    _, user = segment_messages(profile, clip.window(), clip.when, names or [])
    return list(user.parts)


@pytest.mark.parametrize("name", PROFILES)
def test_times_are_given_and_count_from_the_first_picture(name: str) -> None:
    profile = PROFILES[name]
    system, user = segment_messages(profile, CLIP.window(), MOMENT, NAMES)
    marks = profile.marks
    first, last = user.parts[0], user.parts[-1]
    assert first == Text("Marked: Anna (red box); Bo (blue box)\n")
    assert last == Text(f"Describe {marks(2_000)} {marks(4_600)}\nUntil {marks(7_000)}")
    (told,) = system.parts
    assert isinstance(told, Text)
    assert "WAIT" not in told.text
    assert "in English" in told.text


def test_a_video_says_how_far_apart_its_pictures_are() -> None:
    short = Clip(
        Interval(0, 3_500),
        Interval(0, 3_500),
        tuple(VideoFrame(n * 500, JPEG, 320, 184, 0) for n in range(8)),
    )
    (video,) = [p for p in parts(PROFILES["qwen35-video"], short) if isinstance(p, Video)]
    assert (len(video.frames), video.fps) == (8, 2.0)


def test_pictures_stand_after_their_times_and_the_sound_is_all_of_it() -> None:
    found = parts(PROFILES["phi4mm"])
    assert [p.text for p in found[:-1] if isinstance(p, Text)] == [f"(t={n}.0)" for n in range(8)]
    assert sum(isinstance(p, Image) for p in found) == 8
    (sound,) = [p for p in found if isinstance(p, Audio)]
    with wave.open(BytesIO(sound.data)) as file:
        assert file.getnframes() == 7 * 16_000


@pytest.mark.parametrize("name", PROFILES)
def test_the_line_that_is_trained_is_read_as_its_text(name: str) -> None:
    profile = PROFILES[name]
    line = segment_line(profile, "Anna opens the door.", MOMENT, CLIP.origin)
    assert read_segment(profile, line, "en") == "Anna opens the door."


@pytest.mark.parametrize(
    ("answer", "means"),
    [
        ("Anna opens the door.", "Anna opens the door."),
        ("WAIT", WaitReason.MODEL_WAITS),
        ("", WaitReason.EMPTY),
        ("I'm sorry, I can't help with that.", WaitReason.REFUSED),
        ("AD <9.0> Anna leaves. <1.0>", "Anna leaves."),
    ],
)
def test_what_a_model_may_say_instead(answer: str, means: str | WaitReason) -> None:
    assert read_segment(PROFILES["qwen35-images"], answer, "en") == means
