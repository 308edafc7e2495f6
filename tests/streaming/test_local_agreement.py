"""Local agreement: final is what two passes in a row heard alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.hypothesis import Guess
from streaming.local_agreement import LocalAgreement, common_beginning, spelling

pytestmark = pytest.mark.unit

WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=8)


def guesses(words: list[str]) -> list[Guess]:
    return [Guess(300 * i, 300 * i + 300, word, 1.0) for i, word in enumerate(words)]


def test_the_first_pass_makes_nothing_final() -> None:
    assert LocalAgreement().agree(guesses(["ask", "not"])) == 0


def test_what_two_passes_share_from_the_start_is_final() -> None:
    agreement = LocalAgreement()
    agreement.agree(guesses(["Ask", "not", "watt"]))
    assert agreement.agree(guesses(["ask,", "not", "what", "your"])) == 2
    assert agreement.agree(guesses(["what", "your", "country"])) == 2


def test_words_near_the_end_of_the_sound_stay_open() -> None:
    agreement = LocalAgreement()
    agreement.agree(guesses(["a", "b", "c"]))
    assert agreement.agree(guesses(["a", "b", "c"]), margin_end=650) == 2


def test_case_and_punctuation_are_no_difference() -> None:
    assert spelling("Don't!") == spelling("don't")
    assert spelling("...") == "..."


@given(st.lists(WORDS, max_size=6))
def test_every_final_word_was_heard_by_two_passes_in_a_row(passes: list[list[str]]) -> None:
    agreement, pending = LocalAgreement(), list[str]()
    for heard in passes:
        final = agreement.agree(guesses(heard))
        assert heard[:final] == pending[:final]
        pending = heard[final:]


@given(WORDS, WORDS)
def test_common_beginning(first: list[str], second: list[str]) -> None:
    shared = common_beginning(first, second)
    assert first[:shared] == second[:shared]
    assert first[shared : shared + 1] != second[shared : shared + 1] or shared == len(first)
