"""The answer's line: written, read back, and held to by a regular expression; the three agree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.decision import FAILURES, Describe, Wait, WaitReason
from strad.timeline import Interval
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import PROFILES
from streaming.prompt.soundness import unfit
from tests.fakes import describe
from tests.streaming.prompt.windows import window

pytestmark = pytest.mark.unit

each_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))

WINDOW = window(10_000)
"""Its first picture is at 3 s."""

texts = st.text(max_size=330).filter(lambda text: unfit(" ".join(text.split()), "en") is None)
written = st.builds(
    lambda text, start, length: describe(text, 3_000 + start, 3_000 + start + length),
    texts.map(lambda text: " ".join(text.split())).filter(
        lambda text: len(text) <= 300 and not set(text) & set("()<>")
    ),
    st.integers(0, 70).map(lambda tenths: 100 * tenths),
    st.integers(1, 80).map(lambda tenths: 100 * tenths),
)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("qwen35-video", "AD <2.5> A woman opens the door. <4.0>"),
        ("qwen35-images", "AD <2.5> A woman opens the door. <4.0>"),
        ("phi4mm", "AD (t=2.5) A woman opens the door. (t=4.0)"),
    ],
)
def test_the_line_is_the_papers(name: str, line: str) -> None:
    opens = describe("A woman opens the door.", 5_500, 7_000)
    assert PROFILES[name].line(opens, WINDOW) == line
    assert PROFILES[name].parse(line, WINDOW) == opens
    assert PROFILES[name].line(Wait(WaitReason.NOTHING_NEW), WINDOW) == "WAIT"
    assert PROFILES[name].parse("WAIT", WINDOW) == Wait(WaitReason.MODEL_WAITS)


@each_profile
@given(said=written)
def test_what_is_written_is_read_back(profile: Profile, said: Describe) -> None:
    when = Interval(said.when.start, min(said.when.end, 18_000))
    said = describe(said.forms[-1], when.start, when.end)
    line = profile.line(said, WINDOW)
    assert profile.parse(line, WINDOW) == said
    assert re.fullmatch(profile.regex(), line)
    assert re.fullmatch(profile.regex(describe=True), line)


@each_profile
@given(
    text=st.text(max_size=700),
    start=st.integers(-20_000, 40_000),
    length=st.integers(0, 200_000),
)
def test_every_line_that_is_written_matches(
    profile: Profile, text: str, start: int, length: int
) -> None:
    said = Interval(start, start + length)
    if not text.strip():
        return
    try:
        line = profile.line(Describe((text,), said), WINDOW)
    except ValueError:
        assert not set(text.strip()) - set("()<> \t\n") or not profile.form.plain(text)
        return
    assert re.fullmatch(profile.regex(), line)
    assert_read(profile, line)


@each_profile
@given(data=st.data())
def test_whatever_matches_is_read(profile: Profile, data: st.DataObject) -> None:
    line = data.draw(st.from_regex(profile.regex(), fullmatch=True))
    assert_read(profile, line)


def assert_read(profile: Profile, line: str) -> None:
    decision = profile.parse(line, WINDOW)
    assert not isinstance(decision, Wait) or decision.reason is not WaitReason.UNPARSABLE, line


@each_profile
@given(
    answer=st.one_of(
        st.text(),
        st.text().map(lambda text: f"AD <1.0> {text} <2.0>"),
        st.text(st.sampled_from("AD WIT<>()[]t=0123456789.,-s \n")),
        st.text(max_size=20).map(lambda text: text * 5_000),
    )
)
def test_any_answer_means_something(profile: Profile, answer: str) -> None:
    decision = profile.parse(answer, WINDOW, odds=1.5)
    assert decision.odds == 1.5
    if isinstance(decision, Wait):
        assert decision.reason in FAILURES | {WaitReason.MODEL_WAITS, WaitReason.REPEATED}
    else:
        assert decision.forms[-1].strip()
        assert 3_000 <= decision.when.start < decision.when.end <= 18_000


@each_profile
@given(cut=st.integers(0, 60))
def test_a_line_that_was_cut_is_not_spoken(profile: Profile, cut: int) -> None:
    line = profile.line(describe("A woman opens the door.", 5_500, 7_000), WINDOW)
    assert isinstance(profile.parse(line[: min(cut, len(line) - 1)], WINDOW), Wait)


@pytest.mark.parametrize(
    "answer",
    [
        "AD <2.5> A cat sleeps. <4.0>",
        "AD: <2.5> A cat sleeps. <4.0>",
        "AD <2.5 seconds> A cat sleeps. <4.0 seconds>",
        "AD (t=2.5) A cat sleeps. (t=4.0)",
        "AD [2.5s] A cat sleeps. [4s]",
        "  AD <2,5>A cat sleeps.<4,0>  \nThe cat is grey.",
        "<think>\n\n</think>\n\nAD <2.5> A cat sleeps. <4.0>",
        "AD <2.5> A cat sleeps. <4.0><|im_end|>",
    ],
)
@each_profile
def test_servers_that_hold_to_no_form_are_read_leniently(profile: Profile, answer: str) -> None:
    assert profile.parse(answer, WINDOW) == describe("A cat sleeps.", 5_500, 7_000)


@pytest.mark.parametrize("answer", ["WAIT", " wait.", "WAIT: somebody speaks", "WAIT\nAD <1.0>"])
def test_waiting_is_read_leniently(answer: str) -> None:
    waits = PROFILES["qwen35-video"].parse(answer, WINDOW)
    assert waits == Wait(WaitReason.MODEL_WAITS)


def test_times_are_kept_to_what_the_window_shows() -> None:
    """What began before the first picture begins with it; it can't begin after the cursor."""
    profile = PROFILES["qwen35-video"]
    assert profile.line(describe("A.", 100, 3_010), WINDOW) == "AD <0.0> A. <0.1>"
    assert profile.line(describe("A.", 30_000, 99_000), WINDOW) == "AD <7.0> A. <15.0>"


def test_a_description_that_can_not_be_written_is_refused() -> None:
    with pytest.raises(ValueError, match="needs text"):
        PROFILES["qwen35-video"].line(describe("<>", 5_000, 6_000), WINDOW)
