"""Penn Treebank tokens without Java: what the jar was seen to make of the same lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.tokens.ptb import PUNCTUATION, split, tokenize

pytestmark = pytest.mark.eval

# Left: a caption. Right: CoreNLP 3.4.1's PTBTokenizer -lowerCase, punctuation dropped.
SEEN = {
    "A man walks into the room.": "a man walks into the room",
    "He can't, won't and shouldn't've; I'm gonna go.": "he ca n't wo n't and should n't 've"
    " i 'm gon na go",
    "They cannot stay. She's Bob's.": "they can not stay she 's bob 's",
    "'Tis late, gimme that, lemme go": "'t is late gim me that lem me go",
    "Mr. Smith and Dr. Jones of the U.S. went to St. Mary's": "mr. smith and dr. jones of the"
    " u.s. went to st. mary 's",
    "at 5 p.m. on Jan. 5, 1999.": "at 5 p.m. on jan. 5 1999",
    "It costs $5.50, 50% of it; at 10:30 (12/25/2001) #1": "it costs $ 5.50 50 % of it at 10:30"
    " -lrb- 12/25/2001 -rrb- # 1",
    "\u201cwell\u2026\u201d she 'quotes' it\u2014really?! wow!!": "well she quotes it really ?!"
    " wow !!",
    "[door opens] {x} a/b 20th-century well-known AT&T": "-lsb- door opens -rsb- -lcb- x -rcb- a/b"
    " 20th-century well-known at&t",
    "café naïve Mädchen 日本語 😀 a_b 5ft 3D 1990s '90s": "café naïve mädchen 日本語 a_b 5ft 3d"
    " 1990s '90s",
    "rock'n'roll o'clock O'Brien y'all ma'am": "rock 'n' roll o'clock o'brien y' all ma'am",
    "No. 5 is here. No. Not yet": "no. 5 is here no not yet",
    "the Wash. area, the wash. He": "the wash. area the wash he",
    "Then M. Night nods at T. He": "then m. night nods at t he",
    "fast-paced 12-year-old -- or - so": "fast-paced 12-year-old or so",
    "": "",
    "...": "",
}


@pytest.mark.parametrize("caption", SEEN)
def test_it_makes_the_tokens_the_jar_makes(caption: str) -> None:
    assert tokenize(caption) == SEEN[caption]


def test_brackets_stay_since_the_dropped_ones_are_upper_case() -> None:
    assert tokenize("(She nods)") == "-lrb- she nods -rrb-"


@given(st.text())
def test_any_text_gives_clean_tokens(text: str) -> None:
    for token in split(text):
        assert token == token.lower() or token.lower() != token
        assert token.strip()
    assert not PUNCTUATION.intersection(tokenize(text).split(" "))


@given(st.text(alphabet="abcdefghij ", max_size=60))
def test_plain_words_are_split_at_spaces(text: str) -> None:
    assert tokenize(text).split() == text.split()
