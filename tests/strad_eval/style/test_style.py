"""Style rules: what breaks each, and what does not."""

from __future__ import annotations

import pytest

from strad_eval.style.early_names import first_said, named_early, names_in
from strad_eval.style.echo import echoes, runs
from strad_eval.style.wording import RULES, broken_rules

pytestmark = pytest.mark.eval

BREAKS = {
    "camera-talk": ["The camera zooms in on him.", "We see a dog.", "The screen shows a map."],
    "first-or-second-person": ["I walk in.", "He looks at you.", "They take our car."],
    "past-tense": ["He walked away.", "They were late.", "She was running."],
    "interprets": ["He is angry.", "She decides to leave.", "Sadly, they part."],
    "guesses-identity": ["A black man waits.", "An Asian woman sings."],
    "refuses": ["I'm sorry, I can't describe this.", "As an AI, no."],
    "not-plain-text": [
        "**He** nods.",
        "- He nods.",
        "1. He nods.",
        "[00:12:03] He nods.",
        "He 😀.",
    ],
    "hedges": ["He seems to be lost.", "Perhaps a dog."],
}
KEEPS = [
    "He walks away, his left arm hanging.",
    "A man in a black coat enters the white house.",
    "She puts the found ring on the desk.",
    "The sign reads: May, forgive us.".replace("us", "him"),
    "A clock shows 10 past 3.",
    "It's 5:30 p.m. on a wall clock.",
    "Clenching his fists, he turns to the well-lit door.",
]


def test_every_rule_has_an_example() -> None:
    assert set(BREAKS) == set(RULES)


@pytest.mark.parametrize("rule", BREAKS)
def test_it_finds_what_breaks_the_rule(rule: str) -> None:
    assert [text for text in BREAKS[rule] if rule not in broken_rules(text)] == []


@pytest.mark.parametrize("text", KEEPS)
def test_it_lets_good_style_pass(text: str) -> None:
    assert broken_rules(text) == []


def test_five_words_in_a_row_echo_speech_four_do_not() -> None:
    spoken = runs("we are going to the old house now")
    assert echoes("they are going to the old barn", spoken)
    assert not echoes("he goes to the old house", spoken)
    assert not echoes("", spoken)


def test_a_name_is_early_where_it_is_only_said_later() -> None:
    said = first_said([(30.0, "Hello, Anna!"), (50.0, "Anna?")])
    assert said["anna"] == 30.0
    assert named_early("He looks at Anna.", 10.0, said)
    assert not named_early("He looks at Anna.", 40.0, said)
    assert not named_early("He looks at Boris.", 10.0, said)
    assert not named_early("Anna walks.", 10.0, said)


def test_names_are_capitals_inside_a_sentence_that_are_no_calendar_words() -> None:
    assert names_in("In June, he meets Carl and an American.") == ["Carl"]
