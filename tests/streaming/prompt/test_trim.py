"""Context on a fixed grid: stable from window to window, never cut inside an element."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval
from strad_engines.messages import Text
from streaming.prompt.elements import CELL, Element, Source, elements, phrases
from streaming.prompt.profile import Profile, estimate
from streaming.prompt.profiles import PROFILES
from streaming.prompt.trim import trim
from streaming.window import Window
from tests.streaming.prompt.windows import spoken, window

pytestmark = pytest.mark.unit

each_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))


@st.composite
def talks(draw: st.DrawFn) -> list[Word]:
    """Words over some minutes, some close to each other, some not."""
    at, words = 0, []
    for n in range(draw(st.integers(0, 150))):
        at += draw(st.sampled_from([0, 50, 200, 700, 3_000]))
        length = draw(st.integers(1, 900))
        end = draw(st.sampled_from(["", ".", "?"]))
        words.append(Word(Interval(at, at + length), f"word{n}{end}"))
        at += length
    return words


def visible(words: list[Word], end: int) -> list[Word]:
    """What a Session shows of them at the cursor ``end``."""
    return [w for w in words if end - 120_000 <= w.when.start and w.when.end <= end]


def context(profile: Profile, asked: Window, budget: int) -> list[str]:
    """The lines of earlier speech and descriptions."""
    user = profile.render(asked, budget=budget)[-1]
    first = user.parts[0]
    lines = first.text.split("\n") if isinstance(first, Text) else []
    return [line for line in lines if line.startswith(("Speech", "Described"))]


@given(words=talks(), end=st.integers(0, 200_000))
def test_phrases_hold_every_word_once_and_cross_no_cell(words: list[Word], end: int) -> None:
    found = phrases(words)
    assert " ".join(e.text for e in found).split() == [w.text for w in words]
    by_text = {w.text: w for w in words}
    for element in found:
        spans = [by_text[text].when for text in element.text.split()]
        assert element.when == Interval(spans[0].start, max(s.end for s in spans))
        assert len({span.start // CELL for span in spans}) == 1


@given(words=talks(), end=st.integers(0, 200_000), budget=st.integers(0, 1_500))
def test_what_is_left_is_whole_elements_of_all_that_was_said(
    words: list[Word], end: int, budget: int
) -> None:
    """Compared to elements of everything: what the window no longer shows cuts none in two."""
    whole = set(elements([w for w in words if w.when.end <= end], ()))
    trimmed = trim(
        elements(visible(words, end), ()),
        lambda element: estimate(element.text),
        oldest=end - 120_000,
        budget=budget,
    )
    assert set(trimmed.elements) <= whole
    assert sum(estimate(e.text) for e in trimmed.elements) <= budget
    kept = [e for e in sorted(whole, key=lambda e: e.when) if e in set(trimmed.elements)]
    assert list(trimmed.elements) == kept


@given(words=talks(), budget=st.integers(50, 1_500), first=st.integers(4, 90))
def test_the_beginning_stays_while_the_window_slides(
    words: list[Word], budget: int, first: int
) -> None:
    """From one window to the next it is the same, or it has moved on by whole cells."""
    anchors = []
    for end in range(2_000 * first, 2_000 * (first + 30), 2_000):
        shown = elements(visible(words, end), ())
        trimmed = trim(shown, lambda e: estimate(e.text), oldest=end - 120_000, budget=budget)
        anchors.append(trimmed.anchor)
    assert all(a <= b for a, b in pairwise(anchors))
    assert all(anchor % CELL == 0 for anchor in anchors)


@each_profile
def test_the_next_prompt_begins_like_the_last(profile: Profile) -> None:
    """Over 30 s at stride 2 s, the text before the pictures changes at its end alone."""
    words = spoken(*(f"word{n}." for n in range(300)), each=400, pause=200)
    told = []
    for end in range(152_000, 180_000, 2_000):
        asked = window(end, words=visible(words, end))
        told.append(context(profile, asked, budget=10_000))
    assert all(later[: len(before)] == before for before, later in pairwise(told))
    assert len(told[0]) > 100
    assert told[0][0] != context(profile, window(182_000, words=visible(words, 182_000)), 10_000)[0]


@given(words=talks(), late=st.integers(0, 12_000), first=st.integers(1, 60), told=st.data())
def test_what_was_told_is_told_again_word_for_word(
    words: list[Word], late: int, first: int, told: st.DataObject
) -> None:
    """Words may come late, descriptions overlap them: within a cell, text only comes to the end."""
    starts = told.draw(st.lists(st.integers(0, 150_000), max_size=20))
    history = [Cue(Interval(t, t + 700 + t % 4_000), f"Thing {t}") for t in sorted(starts)]
    before: list[str] = []
    anchor = -1
    for end in range(2_000 * first, 2_000 * (first + 20), 2_000):
        known = [w for w in visible(words, end) if w.when.end <= end - late]
        said = [c for c in history if end - 120_000 <= c.when.start < end - 3_000]
        unknown = [w.when.start for w in words if w.when.end > end - late]
        final_to = max(0, min([end - late, *unknown]))
        asked = window(end, words=known, history=said, final_to=final_to)
        lines = context(PROFILES["phi4mm"], asked, 100_000)
        if anchor == -(-max(0, end - 120_000) // CELL):
            assert lines[: len(before)] == before
        before, anchor = lines, -(-max(0, end - 120_000) // CELL)


def test_the_budget_takes_whole_cells_from_the_old_end() -> None:
    said = [Element(Interval(t, t + 1), Source.SPEECH, str(t)) for t in range(0, 90_000, 10_000)]
    left = trim(said, lambda _: 10, oldest=0, budget=89)
    assert (left.anchor, left.left_out) == (30_000, 3)
    assert [e.when.start for e in left.elements] == list(range(30_000, 90_000, 10_000))
    assert trim(said, lambda _: 10, oldest=0, budget=90).left_out == 0


def test_in_the_newest_cell_single_elements_go() -> None:
    said = [Element(Interval(t, t + 1), Source.SPEECH, str(t)) for t in range(0, 90_000, 10_000)]
    left = trim(said, lambda _: 10, oldest=0, budget=20)
    assert (left.anchor, left.left_out) == (60_000, 7)
    assert [e.when.start for e in left.elements] == [70_000, 80_000]
    assert trim(said, lambda _: 10, oldest=0, budget=9).elements == ()


def test_what_was_left_out_is_counted() -> None:
    asked = window(40_000, words=spoken("One.", "Two.", "Three."))
    assert PROFILES["phi4mm"].prompt(asked).left_out == 0
    assert PROFILES["phi4mm"].prompt(asked, budget=0).left_out == 3


def test_speech_and_descriptions_are_interleaved_by_time() -> None:
    words = [*spoken("Where", "are", "you?"), *spoken("Here!", at=9_000)]
    history = (Cue(Interval(3_000, 5_500), "A woman <b>opens</b> a door."),)
    asked = window(40_000, words=words, history=history)
    assert context(PROFILES["phi4mm"], asked, 500) == [
        "Speech (t=0.0) Where are you? (t=1.4)",
        "Described (t=3.0) A woman b opens /b a door. (t=5.5)",
        "Speech (t=9.0) Here! (t=9.4)",
    ]


def test_words_that_are_not_final_are_left_out() -> None:
    words = [*spoken("Yes.", at=1_000), *spoken("No.", at=5_000)]
    asked = window(30_000, words=words, final_to=4_000)
    assert context(PROFILES["phi4mm"], asked, 500) == ["Speech (t=1.0) Yes. (t=1.4)"]


def test_tokens_are_counted_by_whoever_knows() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return 400

    asked = window(40_000, words=spoken("One.", "Two.", "Three."))
    assert PROFILES["phi4mm"].prompt(asked, budget=1_000, count=count).left_out == 1
    assert counted[0] == "Speech (t=0.0) One. (t=0.4)"
