"""How sure the model was, read from the first token and its alternatives."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_engines.messages import Token
from streaming.prompt.odds import SUREST, log_odds
from streaming.prompt.profiles import PROFILES

pytestmark = pytest.mark.unit

ln = math.log


def first(text: str, chance: float, **others: float) -> tuple[Token, ...]:
    """A first token drawn with this chance, and the chances of others."""
    return (Token(text, ln(chance), tuple((t, ln(c)) for t, c in others.items())), Token(" <", 0))


def test_the_two_words_are_compared() -> None:
    assert log_odds(first("AD", 0.8, AD=0.8, WAIT=0.1, The=0.05)) == pytest.approx(ln(8))
    assert log_odds(first("WAIT", 0.75, AD=0.25)) == pytest.approx(-ln(3))


def test_every_beginning_of_a_word_counts_for_it() -> None:
    chances = {"A": 0.2, " AD": 0.1, "\u0120AD": 0.1, "W": 0.1, "WA": 0.1, "<": 0.3}
    token = Token("A", ln(0.2), tuple((t, ln(c)) for t, c in chances.items()))
    assert log_odds((token,)) == pytest.approx(ln(0.4 / 0.2))


def test_a_word_that_is_not_listed_is_as_unlikely_as_can_be_told() -> None:
    assert log_odds(first("AD", 0.5, AD=0.5, The=0.1)) == pytest.approx(ln(5))
    assert log_odds(first("AD", 0.9, AD=0.9, The=0.09)) == pytest.approx(ln(90))
    assert log_odds(first("WAIT", 0.75)) == pytest.approx(-ln(3))


def test_a_word_that_is_impossible_is() -> None:
    assert log_odds((Token("AD", 0.0, (("AD", 0.0), ("WAIT", -math.inf))),)) == SUREST
    assert log_odds((Token("AD", 0.0),)) == SUREST


@pytest.mark.parametrize(
    "tokens",
    [
        (),
        (Token("AD", -math.inf, (("WAIT", -math.inf),)),),
        (Token("", 0.0),),
        (Token("The", -0.1),),
    ],
)
def test_where_nothing_tells_there_are_no_odds(tokens: tuple[Token, ...]) -> None:
    assert log_odds(tokens) is None


def test_odds_are_cut_off() -> None:
    assert log_odds((Token("AD", -0.1, (("WAIT", -500.0),)),)) == SUREST
    assert log_odds((Token("WAIT", -0.1, (("AD", -500.0),)),)) == -SUREST


@given(
    st.lists(
        st.builds(
            Token,
            st.text(max_size=4),
            st.floats(max_value=0),
            st.lists(st.tuples(st.text(max_size=4), st.floats(max_value=0))).map(tuple),
        ),
        max_size=2,
    ).map(tuple)
)
def test_any_tokens_can_be_asked(tokens: tuple[Token, ...]) -> None:
    odds = PROFILES["phi4mm"].odds(tokens)
    assert odds is None or -SUREST <= odds <= SUREST
