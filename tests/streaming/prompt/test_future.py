"""No prompt holds a picture, a sound, a word or a description later than its cursor."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.decision import Decision, Wait, WaitReason
from strad.timeline import Interval
from strad_engines.messages import Audio, Image, Message, Part, Text, Video
from streaming.config import Pace, StreamConfig
from streaming.media import SAMPLES_PER_MS
from streaming.prompt.profiles import PROFILES
from streaming.window import Window
from tests.fakes import Programme, describe
from tests.streaming.prompt.windows import asked, facts_of

pytestmark = pytest.mark.unit

MARK = re.compile(r"(?:<|\(t=)(-?\d+\.\d)")


@st.composite
def programmes(draw: st.DrawFn) -> Programme:
    """A minute or three with speech in it, heard late."""
    at, speech = 0, []
    for _ in range(draw(st.integers(0, 25))):
        at += draw(st.integers(300, 9_000))
        end = at + draw(st.integers(200, 4_000))
        speech.append((at, end))
        at = end
    length = draw(st.integers(5, 180)) * 1_000 + draw(st.sampled_from([0, 300, 450]))
    inside = [(a, b) for a, b in speech if b < length]
    return Programme(length, inside, cut=500, hearing_lag=draw(st.sampled_from([0, 700, 3_000])))


@st.composite
def answers(draw: st.DrawFn) -> list[Decision]:
    """What a describer may say, also of what goes on after the cursor."""
    return [
        Wait(WaitReason.MODEL_WAITS)
        if start is None
        else describe(f"told{n} of thing{n}", 2_000 * n + start, 2_000 * n + start + 1_500)
        for n, start in enumerate(draw(st.lists(st.none() | st.integers(0, 2_500), max_size=80)))
    ]


@settings(max_examples=25, deadline=None)
@given(programme=programmes(), said=answers(), pace=st.sampled_from(list(Pace)))
def test_no_prompt_knows_the_future(programme: Programme, said: list[Decision], pace: Pace) -> None:
    config = StreamConfig(pace=pace, stride=1_000)
    windows = asked(facts_of(programme), config, said)
    for window in windows[-12:]:
        for profile in PROFILES.values():
            for message in profile.render(window):
                assert_of_the_past(message, window)


def assert_of_the_past(message: Message, window: Window) -> None:
    for part in message.parts:
        for told in times(part, window):
            assert told <= window.when.end, part


def times(part: Part, window: Window) -> list[int]:
    """When what is in the part was shown, heard or begun."""
    match part:
        case Image(data):
            return [int(data.removeprefix(b"shown at "))]
        case Video(frames):
            return [t for frame in frames for t in times(frame, window)]
        case Audio(data):
            origin = max(window.when.start, min(f.t for f in window.frames))
            return [origin + (len(data) - 44) // 2 // SAMPLES_PER_MS]
        case Text(text):
            words = [int(t) for t in re.findall(r"word(\d+)", text)]
            described = [c.when.start for c in window.history if c.text in text]
            assert len(re.findall("Described", text)) == len(described)
            return words + described + marked(text, window)


def marked(text: str, window: Window) -> list[int]:
    """The times of what is heard and free now; a description may be told to end later."""
    _, _, now = text.partition("Now, in seconds from the first picture:")
    lines = [line for line in now.split("\n") if not line.startswith("Described")]
    times = [round(1000 * float(t)) for line in lines for t in MARK.findall(line)]
    # The last is the cursor itself; all are rounded alike.
    return [window.when.end + t - times[-1] for t in times]


def test_the_session_really_asks_about_something() -> None:
    """Guards the test above: its windows hold speech, descriptions and pictures."""
    programme = Programme(60_000, [(5_000, 7_000), (20_000, 23_000)], cut=500)
    said = [describe("told1 of thing1", 1_000, 2_000), describe("sees sea", 8_000, 9_000)]
    window = asked(facts_of(programme), StreamConfig(pace=Pace.EVERY_WINDOW), said)[-1]
    text = "".join(
        p.text for p in PROFILES["phi4mm"].render(window)[-1].parts if isinstance(p, Text)
    )
    assert "Speech (t=5.0) word5000 (t=7.0)" in text
    assert "Described (t=1.0) told1 of thing1 (t=2.0)" in text
    assert window.when == Interval(52_000, 60_000)
