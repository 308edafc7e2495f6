"""JSON positions: every value is found on its own line, however the text is laid out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.json_positions import JsonPath, first_fault, line_of, positions

pytestmark = pytest.mark.unit

documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


def paths_of(value: Any, path: JsonPath = ()) -> list[JsonPath]:
    found = [path]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += paths_of(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += paths_of(inner, (*path, index))
    return found


@given(documents, st.sampled_from([None, 0, 2]), st.booleans())
def test_every_value_is_found_in_order(document: Any, indent: int | None, ascii_: bool) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_)
    assert [value.path for value in positions(text)] == paths_of(document)


@given(documents)
def test_lines_are_those_of_the_text(document: Any) -> None:
    text = json.dumps(document, indent=1)
    lines = text.split("\n")
    for value in positions(text):
        assert value.token in lines[value.line - 1]


def test_a_line_is_that_of_the_value_or_of_what_is_around_it() -> None:
    text = '{\n"a": [\n1,\n{"b":\n2}\n],\n"c, {": 3}'
    assert line_of(text, ()) == 1
    assert line_of(text, ("a",)) == 2
    assert line_of(text, ("a", 0)) == 3
    assert line_of(text, ("a", 1)) == 4
    assert line_of(text, ("a", 1, "b")) == 5
    assert line_of(text, ("c, {",)) == 7
    assert line_of(text, ("a", 1, "missing", "deeper")) == 4
    assert line_of(text, ("missing",)) == 1


def test_the_first_fault_is_found() -> None:
    assert first_fault('{"a": 1,\n"b": {"a": 2},\n"a": NaN}')[1] == 3
    assert first_fault('[1, "NaN", true,\n1e400]') == ("not a finite number: 1e400", 2)
    with pytest.raises(AssertionError, match="no fault"):
        first_fault('[1, "NaN", null]')
