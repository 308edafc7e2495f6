"""Ground truth: cues are held against a script strictly and fairly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.demo.ground_truth import Terms, judge, overlap, unsupported_words
from service.demo.script import Picture, Script, Speech, Thing, Title
from strad.cues import Cue
from strad.timeline import Interval, Ms

pytestmark = pytest.mark.unit

CAT = Thing(names=("cat", "animal"), subject=True, traits=("ginger", "close", "left"))
PERSON = Thing(names=("person", "woman"), subject=True, traits=("smiling", "middle"))
PEOPLE = Thing(names=("person", "woman", "man"), count=2, subject=True)
TABLE = Thing(names=("table", "dining table"), traits=("brown",))


def picture(start: float, end: float, *things: Thing) -> Picture:
    return Picture(what="x", move="hold", things=things, traits=("dark",), start=start, end=end)


SCRIPT = Script(
    seed=1,
    seconds=60,
    items=(
        Title(lines=("Part Two", "The River Road"), place="card", start=0, end=4),
        picture(4, 12, CAT, TABLE),
        Speech(text="he spoke", start=12, end=19),
        picture(12, 20, PERSON),
        picture(20, 40, PEOPLE),
        Title(lines=("Lisbon, 1974",), place="corner", start=24, end=30),
        Speech(text="and again", start=50, end=55),
        picture(40, 60, PERSON, CAT),
    ),
)


def cue(text: str, at: float, length: float = 1.5) -> Cue:
    return Cue(Interval(round(at * 1000), round((at + length) * 1000)), text)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("A cat.", 5),
        ("Now a cat is in view.", 5),
        ("Now a ginger cat is in view, close up.", 9),
        ("A cat on a dining table.", 5),
        ("A cat is in view on the left.", 5),
        ("Text: Part Two The River Road.", 1),
        ("Text: The River Road.", 8),
        ("Now two people are in view.", 22),
        ("At least two people are in view.", 22),
        ("Text: Lisbon, 1974.", 26),
        ("A person and a cat are in view.", 45),
        ("A dark picture.", 5),
    ],
)
def test_what_the_script_holds_is_supported(text: str, at: float) -> None:
    assert unsupported_words(cue(text, at), SCRIPT, Terms()) == ()


@pytest.mark.parametrize(
    ("text", "at", "wrong"),
    [
        ("A dog.", 5, ("dog",)),
        ("A cat.", 30, ("cat",)),
        ("Two cats.", 5, ("cats",)),
        ("Three people.", 22, ("people",)),
        ("Several people are in view.", 22, ("people",)),
        ("One person.", 30, ("person",)),
        ("A smiling cat.", 9, ("smiling",)),
        ("A cat is in view on the right.", 5, ("right",)),
        ("A brown cat.", 5, ("brown",)),
        ("Text: The Iron Bridge.", 1, ("iron", "bridge")),
        ("Text: Lisbon, 1974.", 15, ("lisbon", "1974")),
        ("Now a person is in view.", 57, ("now",)),
        ("A person in a potted plant.", 45, ("potted", "plant")),
    ],
)
def test_what_the_script_does_not_hold_is_flagged(
    text: str, at: float, wrong: tuple[str, ...]
) -> None:
    assert unsupported_words(cue(text, at), SCRIPT, Terms()) == wrong


def test_facts_with_a_gap_are_described_or_missed() -> None:
    cues = [cue("Text: The River Road.", 1), cue("A cat.", 6), cue("Two people.", 22)]
    verdict = judge(cues, SCRIPT)
    assert [fact.start for fact in verdict.described] == [0, 4, 20]
    assert [fact.start for fact in verdict.missed] == [24, 40]
    assert verdict.share == pytest.approx(0.6)
    assert verdict.unsupported == ()


def test_a_fact_under_speech_is_not_counted() -> None:
    assert 12 not in [fact.start for fact in judge([], SCRIPT).missed]


def test_one_cue_describes_one_picture() -> None:
    verdict = judge([cue("A cat and a person.", 45)], SCRIPT)
    assert [fact.start for fact in verdict.described] == [40]


def test_half_a_title_is_not_the_title() -> None:
    described = judge([cue("Text: Part Two.", 1)], SCRIPT).described
    assert described == ()


def test_the_wrong_number_describes_nothing() -> None:
    assert judge([cue("Three people.", 25)], SCRIPT).described == ()


def test_a_description_long_after_its_picture_describes_nothing() -> None:
    assert judge([cue("A cat.", 19)], SCRIPT).described == ()


def test_overlap_is_measured_and_small_ones_forgiven() -> None:
    spoken = [Interval(1_000, 2_000), Interval(5_000, 6_000)]
    assert overlap(Interval(1_850, 5_150), spoken, 150) == 0
    assert overlap(Interval(1_849, 5_150), spoken, 150) == 151
    assert overlap(Interval(0, 9_000), spoken, 150) == 2_000
    assert judge([cue("A cat.", 10.9)], SCRIPT).overlap == 400


@given(st.integers(0, 10_000), st.integers(1, 5_000), st.integers(0, 500))
def test_overlap_never_exceeds_the_cue(start: Ms, length: Ms, tolerance: Ms) -> None:
    when = Interval(start, start + length)
    spoken = [Interval(t, t + 700) for t in range(0, 15_000, 1_000)]
    assert 0 <= overlap(when, spoken, tolerance) <= length


def test_no_cue_leaves_no_blame() -> None:
    verdict = judge([], SCRIPT)
    assert verdict.overlap == 0
    assert verdict.unsupported == ()
    assert verdict.share == 0
