"""Every sentence is cautious: the house's style rules hold for whatever is claimed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.decision import MAX_FORMS, Kind
from streaming.describers.facts.claim import Claim
from streaming.describers.facts.sentences import MOST_WORDS, forms_of, sayable
from streaming.describers.facts.vocabulary import NAMES
from tests.streaming.describers.facts.scenes import claim, text_claim

pytestmark = pytest.mark.unit

BANNED = re.compile(
    r"\b(we|i|you|see|sees|seen|screen|camera|shot|man|woman|boy|girl|black|white|asian|"
    r"happy|sad|angry|smil\w+|was|were|had|will|probably|maybe)\b",
    re.IGNORECASE,
)

thing_claims = st.lists(
    st.builds(
        Claim,
        st.just(Kind.SCENE),
        st.sampled_from(sorted(NAMES)),
        st.just((0, 1000, 2000)),
        st.floats(0.5, 1),
        st.just(frozenset({"ssd"})),
        st.integers(1, 3),
        st.booleans(),
        st.booleans(),
        st.sampled_from(["", "on the left", "on the right"]),
        st.none() | st.just(0),
        st.sampled_from(["", "face", "on the left", "on the right"]),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda made: made.subject,
)


@given(thing_claims)
def test_sentences_keep_the_rules_of_style(claims: list[Claim]) -> None:
    forms = forms_of(claims)
    assert 1 <= len(forms) <= MAX_FORMS
    assert list(forms) == sorted(set(forms), key=len)
    for form in forms:
        assert form[0].isupper()
        assert form.endswith(".")
        assert not BANNED.search(form)
        assert all(any(name in form.casefold() for name in NAMES[c.subject]) for c in claims)


@pytest.mark.parametrize(
    ("claims", "longest"),
    [
        ([claim("person")], "A person is in view."),
        ([claim("person", count=2)], "Two people are in view."),
        ([claim("person", count=2, exact=False)], "At least two people are in view."),
        ([claim("person", count=3, exact=False)], "Several people are in view."),
        ([claim("elephant")], "An elephant is in view."),
        ([claim("cup"), claim("dining table")], "A cup and a table are in view."),
        ([claim("cat"), claim("dog"), claim("cup")], "A cat, a dog and a cup are in view."),
    ],
)
def test_things(claims: list[Claim], longest: str) -> None:
    assert forms_of(claims)[-1] == longest


@pytest.mark.parametrize(
    ("aspect", "forms"),
    [
        ("on the left", ("A person on the left.", "A person is in view on the left.")),
        ("face", ("The face of a person.", "The face of a person is in view.")),
    ],
)
def test_an_aspect_is_told(aspect: str, forms: tuple[str, ...]) -> None:
    assert forms_of([replace(claim("person"), aspect=aspect)]) == forms


@given(thing_claims)
def test_nothing_claims_that_it_happens_this_very_moment(claims: list[Claim]) -> None:
    assert not any(re.search(r"\b(now|next|then)\b", form, re.I) for form in forms_of(claims))


def test_an_aspect_is_told_alone() -> None:
    left = replace(claim("person"), aspect="on the left")
    assert sayable([left, claim("cup")]) == [left]
    assert sayable([claim("cup"), left]) == [claim("cup")]


def test_text_is_read_verbatim() -> None:
    lines = [text_claim("Big Buck BUNNY"), text_claim("by Blender")]
    assert forms_of(lines) == ("Text: Big Buck BUNNY.", "Text: Big Buck BUNNY by Blender.")
    assert forms_of([text_claim("Who is it?")]) == ("Text: Who is it?",)


@given(st.lists(st.text("abc ", min_size=1).filter(str.strip), min_size=1, max_size=12))
def test_no_more_text_is_read_than_can_be_listened_to(lines: list[str]) -> None:
    claims = [text_claim(text) for text in lines]
    fits = sayable(claims)
    assert fits == claims[: len(fits)]
    assert len(fits) == 1 or sum(len(c.subject.split()) for c in fits) <= MOST_WORDS
