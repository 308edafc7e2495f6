"""A stream's looks become decisions: text first, news only, and a reason for every wait."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.cues import Cue
from strad.decision import Describe, Kind, Wait, WaitReason
from streaming.describers.facts.look import Detection, Line
from streaming.describers.facts.narrator import Narrator
from tests.streaming.describers.facts.scenes import agreed, frame, line, looks, seen, window

pytestmark = pytest.mark.unit

CAT = agreed("cat")
THINGS = [CAT, agreed("person", 0.6), seen("elephant", 0.6)]
LINES = [line("Chapter One"), line("qx", 0.5)]
shown = st.lists(
    st.lists(
        st.sampled_from(
            [
                CAT,
                agreed("person", 0.6),
                seen("elephant", 0.6),
                line("Chapter One"),
                line("qx", 0.5),
            ]
        ),
        max_size=3,
    ),
    min_size=1,
    max_size=40,
)


def _narrator(*what: list[Detection | Line], cuts: tuple[int, ...] = ()) -> Narrator:
    narrator = Narrator()
    narrator.add(looks(*what, cuts=cuts))
    return narrator


def test_text_comes_first_and_the_rest_at_the_next_window() -> None:
    narrator = _narrator(*[[CAT, line("Chapter One")]] * 5)
    first = narrator.decide(window(2000))
    second = narrator.decide(window(4000, history=[Cue(window(2000).when, "Text: Chapter One.")]))
    assert isinstance(first, Describe)
    assert isinstance(second, Describe)
    assert (first.forms, first.kind) == (("Text: Chapter One.",), Kind.TEXT)
    assert (second.forms, second.kind) == (("A cat.", "A cat is in view."), Kind.SCENE)


def test_it_waits_with_a_reason() -> None:
    assert _narrator([]).decide(window(2000)) == Wait(WaitReason.NOTHING_NEW)
    assert _narrator([], [seen("cat", 0.6)]).decide(window(1000)) == Wait(WaitReason.UNSURE)
    assert Narrator().decide(window(2000)) == Wait(WaitReason.NO_FRAMES)
    far = _narrator([CAT]).decide(window(20_000))
    assert far == Wait(WaitReason.NO_FRAMES)


def test_a_description_is_about_the_time_the_thing_came() -> None:
    narrator = _narrator([], [], [], [CAT], [CAT], [CAT], [CAT])
    decision = narrator.decide(window(6000))
    assert isinstance(decision, Describe)
    assert (decision.when.start, decision.when.end) == (3000, 6000)


def test_it_ends_with_the_last_look_that_shows_the_thing() -> None:
    narrator = _narrator([], [CAT], [CAT], [CAT], [CAT], [])
    decision = narrator.decide(window(5000))
    assert isinstance(decision, Describe)
    assert (decision.when.start, decision.when.end) == (1000, 4000)


def test_things_told_together_are_told_when_all_are_in_view() -> None:
    cup, table = agreed("cup"), agreed("dining table", 0.9)
    narrator = _narrator([cup], [cup], *[[cup, table]] * 4)
    decision = narrator.decide(window(5000))
    assert isinstance(decision, Describe)
    assert decision.forms[0] == "A cup and a table."
    assert decision.when.start == 2000


def test_the_evidence_is_kept() -> None:
    narrator = _narrator([CAT], [CAT], [CAT])
    narrator.decide(window(2000))
    (evidence,) = narrator.evidence
    (claim,) = evidence.claims
    assert (claim.subject, claim.seen) == ("cat", (0, 1000, 2000))
    assert claim.by == {"ssd", "efficientdet"}


def test_only_new_frames_are_looked_at_and_not_too_many() -> None:
    narrator = _narrator([], [], [])
    frames = [frame(t) for t in range(0, 9000, 1000)]
    assert [f.t for f in narrator.unseen(frames, 4)] == [5000, 6000, 7000, 8000]
    assert [f.t for f in narrator.unseen(frames, 99)] == list(range(3000, 9000, 1000))
    assert narrator.unseen(frames[:3], 4) == []


@given(shown, st.booleans())
def test_whatever_is_seen_the_answers_fit_their_window(
    what: list[list[Detection | Line]], placed: bool
) -> None:
    narrator, history = Narrator(), list[Cue]()
    said: list[str] = []
    for at, look in enumerate(looks(*what)):
        narrator.add([look])
        when = window(at * 1000, history=history)
        decision = narrator.decide(when)
        if isinstance(decision, Describe):
            assert when.when.start <= decision.when.start <= decision.when.end <= when.when.end
            assert "elephant" not in decision.forms[-1]
            assert "qx" not in decision.forms[-1]
            said.append(decision.forms[-1])
            if placed:
                history.append(Cue(decision.when, decision.forms[0]))
    if placed:
        assert len(said) == len(set(said))
