"""Whatever a model writes is read or refused with a word; what is read was written."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.language import is_english
from question_generation.options import answer_at, options_fault, plain, rotated
from question_generation.repair import UnreadableError, read_json
from question_generation.shape import MisfitError, fit, schema_of
from strad.record import Record

pytestmark = pytest.mark.unit

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
VALUES = st.dictionaries(
    TEXTS, TEXTS | st.integers(-9, 9) | st.lists(TEXTS, max_size=3), min_size=1, max_size=4
)


class Shape(Record):
    question: str
    options: tuple[str, ...]


@given(st.text(max_size=60) | st.text('{}[]",:\\ab`“”\n', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(UnreadableError):
        read = read_json(text)
        assert isinstance(read.value, dict | list)
        with contextlib.suppress(MisfitError):
            fit(read.value, Shape)


@given(VALUES, st.sampled_from(["", "Sure: ", "```json\n", "```\n"]), st.booleans())
def test_json_with_words_and_fences_around_is_what_it_was(
    value: dict[str, Any], before: str, ascii_only: bool
) -> None:
    after = "\n```" if "`" in before else ""
    text = f"{before}{json.dumps(value, ensure_ascii=ascii_only)}{after}"
    if after and "```" in json.dumps(value):
        return
    assert read_json(text).value == value


@given(VALUES, st.data())
def test_what_is_cut_anywhere_holds_no_text_that_was_not_whole(
    value: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    try:
        found = read_json(cut).value
    except UnreadableError:
        return
    assert isinstance(found, dict)
    for name, one in found.items():
        whole = value[name]
        if isinstance(one, list) and isinstance(whole, list):
            assert one == whole[: len(one)]
        elif isinstance(one, str):
            assert one == whole
        else:
            assert str(whole).startswith(str(one))  # a number may have gone on


@given(VALUES)
def test_a_comma_too_many_is_one_comma_less(value: dict[str, Any]) -> None:
    assert read_json(json.dumps(value)[:-1] + ",}").value == value


def test_a_schema_tells_members_and_nothing_beyond() -> None:
    told = json.loads(schema_of(Shape))
    assert told["required"] == ["question", "options"]
    assert told["additionalProperties"] is False
    assert "title" not in schema_of(Shape)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Why does Jean-Luc run to the car after the phone rings?", True),
        ("Rosencrantz", True),
        ("The woman in red says: c'est la vie, and leaves the room.", True),
        ("Pourquoi est-ce que la femme court dans la rue avec le chien ?", False),
        ("Warum rennt die Frau zu dem Auto und nicht nach Hause?", False),
        ("为什么她跑了", False),
        ("Почему она бежит?", False),
        ("Perché la donna corre nella strada con il cane che abbaia?", False),
        ("Waarom is het meisje niet naar school gegaan?", False),
    ],
)
def test_english_is_told_from_other_languages(text: str, english: bool) -> None:
    assert is_english(text) is english


def test_options_are_made_plain_and_their_faults_named() -> None:
    marked = ["A) one", "- B. **two**", '"three"', "(d) four", "Option E: five"]
    assert [plain(one) for one in marked] == ["one", "two", "three", "four", "five"]
    assert plain("A dog barks") == "A dog barks"
    assert options_fault(["one", "One."], 2) == "two options are the same"
    assert options_fault(["one", "?"], 2) == "an empty option"
    assert options_fault(["one"], 2) == "not 2 options"
    assert answer_at("E", ["a", "b"]) == (None, "the answer is not among the options")
    assert answer_at("b) two", ["one", "two"]) == (1, "")


@given(st.lists(st.integers(), max_size=6, unique=True), st.integers(0, 12))
def test_rotations_move_each_option_through_all_places(values: list[int], by: int) -> None:
    options = [str(value) for value in values]
    turned = rotated(options, by)
    assert sorted(turned) == sorted(options)
    for at, option in enumerate(options):
        assert turned[(at + by) % len(options)] == option
