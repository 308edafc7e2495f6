"""Line separators and unprintable things inside captions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.tokens.lines import ascii_only, one_line

pytestmark = pytest.mark.eval


@pytest.mark.parametrize("separator", ["\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\v", "\0"])
def test_every_line_separator_becomes_a_space(separator: str) -> None:
    assert one_line(f"He{separator}nods.") == "He nods."


@given(st.text(alphabet=st.characters()))
def test_no_text_has_more_than_one_line_and_all_can_be_written(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    line.encode()


def test_densevid_sees_a_space_for_each_character_outside_ascii() -> None:
    assert ascii_only("café — oui") == "caf    oui"
