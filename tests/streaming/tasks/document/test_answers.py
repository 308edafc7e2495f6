"""Models' answers are read leniently, and nothing in them breaks a pass."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.tasks.document.answers import (
    Look,
    read_forms,
    read_look,
    read_people,
    read_shorter,
)

pytestmark = pytest.mark.unit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
KEYS = ["seen", "people", "read", "importance", "synopsis", "short", "medium", "long", "text"]
OBJECTS = st.dictionaries(st.sampled_from([*KEYS, "names", "looks", "id"]), JSON)


@given(
    st.text() | OBJECTS.map(json.dumps) | st.lists(OBJECTS).map(lambda p: json.dumps({"people": p}))
)
def test_whatever_comes_is_read_or_not(answer: str) -> None:
    look = read_look(answer, synopsis_words=5, language="en")
    assert look is None or (0 <= look.importance <= 3 and len(look.synopsis.split()) <= 5)
    for text in read_forms(answer, "en") or ():
        assert "<" not in text
        assert text.strip()
    read_people(answer)
    short = read_shorter(answer, "en", 4)
    assert short is None or len(short.split()) <= 4 or "'" in short


def look(**more: Any) -> Look | None:
    return read_look(json.dumps(more), synopsis_words=4, language="en")


def test_what_was_seen() -> None:
    found = look(
        seen="A <b>man</b> sits.", people=["tall man", 7, "tall man"], read="no", importance=9,
        synopsis="One two three four five.",
    )  # fmt: skip
    assert found == Look("A b man /b sits.", ("tall man",), (), 3, "two three four five.")
    assert look(seen="", importance=3) == Look("", (), (), 0, "")
    assert look(people=[]) is None
    assert look(seen="I'm sorry, I can't help.") is None


@pytest.mark.parametrize(
    ("answer", "forms"),
    [
        ('{"short": "He sits.", "long": "He sits up."}', ("He sits.", "He sits up.")),
        ('Sure!\n```json\n{"medium": "He sits down."}\n```', ("He sits down.",)),
        ('<think>{"short": "no"}</think>{"short": "He sits."}', ("He sits.",)),
        ("{}", ()),
        ('{"short": "We see a man."}', None),
        ('{"short": "As an AI, I can\'t."}', None),
        ("He sits.", None),
        ('{"short": "He sits."', None),
    ],
)  # fmt: skip
def test_forms(answer: str, forms: tuple[str, ...] | None) -> None:
    assert read_forms(answer, "en") == forms


def test_who_is_who() -> None:
    told = {
        "id": "p1",
        "looks": ["tall man"],
        "names": [{"name": "Bo", "from": "s1"}, {"from": "s2"}],
    }
    answer = json.dumps({"people": [told, "nobody", {}]})
    found = read_people(answer)
    assert found is not None
    assert [(p.id, p.looks, [n.name for n in p.names]) for p in found] == [
        ("p1", ("tall man",), ["Bo"]),
        ("", (), []),
    ]
    assert read_people('{"people": "Bo"}') is None


def test_what_is_no_shorter_is_not_taken() -> None:
    answer = '{"text": "He sits down there."}'
    assert read_shorter(answer, "en", 4) == "He sits down there."
    assert read_shorter(answer, "en", 3) is None
