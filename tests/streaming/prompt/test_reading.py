"""What an answer means: each reason not to speak, and what may be spoken though it looks odd."""

from __future__ import annotations

from dataclasses import replace

import pytest

from strad.cues import Cue
from strad.decision import Describe, Wait, WaitReason
from strad.timeline import Interval
from streaming.prompt.profiles import PROFILES
from tests.fakes import describe
from tests.streaming.prompt.windows import window

pytestmark = pytest.mark.unit

PROFILE = PROFILES["qwen35-video"]
TOLD = Cue(Interval(1_000, 2_000), "A woman opens the red door of the barn.")
WINDOW = window(10_000, history=[TOLD])


def reason(answer: str) -> WaitReason:
    decision = PROFILE.parse(answer, WINDOW)
    assert isinstance(decision, Wait), decision
    return decision.reason


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", WaitReason.EMPTY),
        (" \n\t ", WaitReason.EMPTY),
        ("AD <1.0> ... <2.0>", WaitReason.EMPTY),
        ("AD <1.0>  <2.0>", WaitReason.EMPTY),
        ("AD <4.0> A cat sleeps. <2.5>", WaitReason.BACKWARDS),
        ("AD <4.0> A cat sleeps. <4.0>", WaitReason.BACKWARDS),
        ("AD <7.1> A cat sleeps. <9.0>", WaitReason.OUTSIDE_WINDOW),
        ("AD <5.0> A cat sleeps. <15.1>", WaitReason.OUTSIDE_WINDOW),
        ("AD <-1.0> A cat sleeps. <2.0>", WaitReason.OUTSIDE_WINDOW),
        ("AD <99999> A cat sleeps. <99999.5>", WaitReason.OUTSIDE_WINDOW),
        ("AD <1.0> A woman opens the red door of the barn. <2.0>", WaitReason.REPEATED),
        ("AD <1.0> the woman opens the red door of the barn <2.0>", WaitReason.REPEATED),
        ("AD <1.0> A man runs and a man runs and a man falls. <2.0>", WaitReason.REPEATED),
        ("AD <1.0> go go go go <2.0>", WaitReason.REPEATED),
        ("AD <1.0> **A cat** sleeps. <2.0>", WaitReason.MARKUP),
        ("AD <1.0> # A cat <2.0>", WaitReason.MARKUP),
        ("AD <1.0> - A cat <2.0>", WaitReason.MARKUP),
        ("AD <1.0> {\"text\": 1} <2.0>", WaitReason.MARKUP),
        ("AD <1.0> A <i>cat</i> sleeps. <2.0>", WaitReason.MARKUP),
        ("AD <1.0> A cat sleeps. <2.0> AD <3.0> It wakes. <4.0>", WaitReason.MARKUP),
        ("AD <1.0> See https://x.org now <2.0>", WaitReason.MARKUP),
        ("AD <1.0> A cat &amp; a dog <2.0>", WaitReason.MARKUP),
        ("AD <1.0> A cat\ufffd sleeps. <2.0>", WaitReason.MARKUP),
        ("AD <1.0> I\u2019m sorry, I can't see it. <2.0>", WaitReason.REFUSED),
        ("AD <1.0> As an AI, I see nothing. <2.0>", WaitReason.REFUSED),
        ("I can't help with that.", WaitReason.REFUSED),
        ("AD <1.0> The video shows a cat. <2.0>", WaitReason.META_TALK),
        ("AD <1.0> In this frame, a cat sleeps. <2.0>", WaitReason.META_TALK),
        ("AD <1.0> Now we see a cat. <2.0>", WaitReason.META_TALK),
        ("A cat sleeps.", WaitReason.UNPARSABLE),
        ("AD A cat sleeps.", WaitReason.UNPARSABLE),
        ("AD <1.0> A cat sleeps and", WaitReason.UNPARSABLE),
        ("ADA <1.0> A cat sleeps. <2.0>", WaitReason.UNPARSABLE),
        ("WAITING", WaitReason.UNPARSABLE),
        ("!" * 100_000, WaitReason.UNPARSABLE),
    ],
)  # fmt: skip
def test_what_can_not_be_spoken_says_why(answer: str, why: WaitReason) -> None:
    assert reason(answer) is why


@pytest.mark.parametrize(
    "text",
    [
        "He knocks, knocks, knocks. He watches them.",
        "He watches the video on her phone.",
        "Pictures of the children hang on the wall.",
        "Text: Apartment #5, 1 % left; \u201cStay out!\u201d",
        "Sorry looking, the dog sits in the rain.",
        "She looks at the last picture in the frame (a boat).",
        "Er kann nicht schlafen \u2013 das Fenster klappert.",
        "\u5973\u4eba\u6253\u5f00\u4e86\u95e8\u3002",
        "A woman opens the blue door of the barn to the cows.",
    ],
)
def test_what_only_looks_odd_is_spoken(text: str) -> None:
    said = PROFILE.parse(f"AD <1.0> {text} <3.0>", WINDOW)
    assert said == describe(text, 4_000, 6_000)


def test_a_description_may_go_on_after_the_cursor() -> None:
    said = PROFILE.parse("AD <7.0> A cat sleeps. <15.0>", WINDOW)
    assert isinstance(said, Describe)
    assert said.when == Interval(10_000, 18_000)


def test_lists_of_other_languages_add_to_english() -> None:
    german = replace(WINDOW, language="de-AT")
    said = PROFILE.parse("AD <1.0> The video shows a cat. <2.0>", german)
    assert said == Wait(WaitReason.META_TALK)
