"""What a model says when it has lost its way."""

from __future__ import annotations

import pytest

from streaming.hypothesis import Guess, loops, without_crowd

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    ["Look, " * 8, "Oh, yeah, " * 4, "ask what you can do for your country " * 4, "ha" * 40],
)
def test_a_phrase_over_and_over_is_a_loop(text: str) -> None:
    assert loops(text)


@pytest.mark.parametrize(
    "text",
    ["", "No, no, no, no!", "Ask not what your country can do for you, ask what you can do for it.",
     "Come on, come on, let's go."],
)  # fmt: skip
def test_emphasis_is_not(text: str) -> None:
    assert not loops(text)


def test_words_crammed_into_the_end_were_not_said() -> None:
    said = (Guess(0, 300, "for", 1.0), Guess(300, 700, "you", 1.0))
    crammed = tuple(Guess(700 + 20 * i, 720 + 20 * i, "ask", 1.0) for i in range(4))
    assert without_crowd(said + crammed) == said
    assert without_crowd(said + crammed[:2]) == said + crammed[:2]
