"""An example is rendered by the code that serves, and its answer means what it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from strad.cues import Cue
from strad.decision import Describe, Wait, WaitReason
from strad.speech import Word
from strad.timeline import Interval
from streaming.prompt.profiles import PROFILES
from streaming.prompt.segment import read_segment, segment_messages
from streaming.window import KnownFact
from tests.fakes import chunk
from tests.streaming.prompt.windows import picture, spoken, window
from training.example import Example, Kind, Why
from training.rendering import rendered

pytestmark = pytest.mark.unit

SEEN = window(
    40_000,
    words=spoken("Where", "is", "she?", at=20_000),
    history=[Cue(Interval(12_000, 14_000), "Anna closes the door.")],
)
OPENS = Describe(("Bo opens a letter.",), Interval(35_200, 37_000))
AD = Example("f-1", "f", Kind.AD, SEEN, OPENS, Why.UNSEEN_AD)
WAIT = Example("f-2", "f", Kind.WAIT, SEEN, Wait(WaitReason.NOTHING_NEW), Why.NO_AD)
MOMENT = Interval(35_000, 37_500)
SEGMENT = Example("f-3", "f", Kind.SEGMENT, SEEN, OPENS, Why.SEGMENT, MOMENT, ("Bo (red box)",))


@pytest.mark.parametrize("name", PROFILES)
def test_a_window_is_what_serving_asks_and_its_answer_reads_back(name: str) -> None:
    profile = PROFILES[name]
    for example in (AD, WAIT):
        shown = rendered(example, profile)
        assert shown.messages == profile.render(SEEN)
        assert type(profile.parse(shown.answer, SEEN)) is type(example.answer)
    assert profile.parse(rendered(AD, profile).answer, SEEN) == OPENS
    assert rendered(WAIT, profile).answer == "WAIT"


@pytest.mark.parametrize("name", PROFILES)
def test_a_segment_is_what_serving_asks_and_its_answer_reads_back(name: str) -> None:
    profile = PROFILES[name]
    shown = rendered(SEGMENT, profile)
    assert shown.messages == segment_messages(profile, SEEN, MOMENT, ["Bo (red box)"])
    assert read_segment(profile, shown.answer, "en") == "Bo opens a letter."


def test_a_moment_belongs_to_a_segment_and_to_nothing_else() -> None:
    with pytest.raises(ValueError, match="a segment"):
        Example("f-4", "f", Kind.AD, SEEN, OPENS, Why.UNSEEN_AD, MOMENT)
    with pytest.raises(ValueError, match="a wait"):
        Example("f-5", "f", Kind.WAIT, SEEN, OPENS, Why.NO_AD)


def test_an_example_that_shows_what_comes_later_or_its_own_answer_cannot_be() -> None:
    after = SEEN.when.end + 1
    later = (
        replace(SEEN, frames=(*SEEN.frames, picture(after))),
        replace(SEEN, audio=(*SEEN.audio, chunk(after - 50))),
        replace(SEEN, words=(*SEEN.words, Word(Interval(after - 50, after), "late"))),
        replace(SEEN, history=(Cue(Interval(after, after + 1), "Next, Bo leaves."),)),
        replace(SEEN, facts=(KnownFact("Bo", "name", after),)),
    )
    for shown in later:
        with pytest.raises(ValueError, match="later than its cursor"):
            replace(WAIT, window=shown)
    told = replace(SEEN, history=(Cue(Interval(1_000, 2_000), OPENS.forms[0]),))
    with pytest.raises(ValueError, match="described before"):
        replace(AD, window=told)
