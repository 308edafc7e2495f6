"""Whatever a server says is an answer, or is said to be none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_engines.engine_errors import EngineAnswerError
from strad_engines.messages import Generated
from strad_engines.openai_wire import read_answer, read_complaint
from tests.strad_engines.chat_server import completion

pytestmark = pytest.mark.unit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


def _read(data: bytes) -> Generated | None:
    try:
        return read_answer(data)
    except EngineAnswerError:
        return None


@given(st.binary(max_size=200))
def test_no_bytes_break_it(data: bytes) -> None:
    _read(data)
    complaint = read_complaint(data)
    assert "\n" not in complaint
    assert len(complaint) <= 400


@given(JSON, JSON, JSON, JSON)
def test_no_json_in_any_place_breaks_it(
    content: object, log: object, usage: object, why: object
) -> None:
    choice = {"message": {"content": content}, "logprobs": log, "finish_reason": why}
    found = _read(json.dumps({"choices": [choice], "usage": usage}).encode())
    assert found is None or found.text == content


@given(st.text(max_size=50))
def test_text_comes_back_as_it_was(text: str) -> None:
    assert read_answer(completion(text)).text == text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"error": {"message": "no\\n such model"}}', "no such model"),
        (b'{"error": "busy"}', "busy"),
        (b'{"message": "gone", "object": "error"}', "gone"),
        (b"<h1>502</h1>", "'<h1>502</h1>'"),
    ],
)
def test_a_complaint_is_the_servers_own_words(data: bytes, said: str) -> None:
    assert read_complaint(data) == said
