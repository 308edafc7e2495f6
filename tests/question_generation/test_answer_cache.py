"""Answers are in the file before the process waits again; a full disk is said, and mended later."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from pathlib import Path
from string import Template

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.answer_cache import AnswerCache
from question_generation.answer_key import AnswerKeys
from question_generation.prompt import Prompt
from strad.errors import WorkError
from strad_engines.messages import Audio, Generated, Image, Message, Sampling, Text, Video

pytestmark = pytest.mark.unit


def count(path: Path) -> int:
    """As another process sees the file."""
    with sqlite3.connect(path) as base:
        found: int = base.execute("SELECT count(*) FROM answers").fetchone()[0]
    base.close()
    return found


def test_answers_of_one_turn_are_in_the_file_after_it(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"

    async def go() -> None:
        with AnswerCache(path) as cache:
            for at in range(5):
                cache.put(bytes([at]), Generated(f"answer {at}"))
                known = cache.get(bytes([at]))
                assert known is not None
                assert known.text == f"answer {at}"
            assert count(path) == 0
            await asyncio.sleep(0)
            assert count(path) == 5
            cache.put(b"last", Generated("last"))

    asyncio.run(go())
    assert count(path) == 6
    with AnswerCache(path) as cache:
        cache.put(b"no loop", Generated("x"))
        assert count(path) == 7
        assert cache.get(b"none") is None


def test_what_another_process_keeps_is_found_in_a_later_turn(tmp_path: Path) -> None:
    """Reading keeps nobody from writing, and goes on from the state of the file in each turn."""
    path = tmp_path / "answers.sqlite"

    async def go() -> None:
        with AnswerCache(path) as cache, AnswerCache(path) as other:
            for at in range(3):
                key = bytes([at])
                assert cache.get(key) is None
                other.put(key, Generated(f"answer {at}"))
                other.keep()
                cache.put(b"own", Generated(f"own {at}"))
                await asyncio.sleep(0)
                assert cache.get(key) == Generated(f"answer {at}")
                assert other.get(b"own") == Generated(f"own {at}")

    asyncio.run(go())
    assert count(path) == 4


def test_a_failing_disk_is_said_at_the_next_answer_and_what_waited_is_kept_when_it_can(
    tmp_path: Path,
) -> None:
    path = tmp_path / "answers.sqlite"

    async def go() -> None:
        with AnswerCache(path) as cache:
            other = sqlite3.connect(path)
            other.execute("DROP TABLE answers")
            with pytest.raises(WorkError, match="kept answers can't be read"):
                cache.get(b"1")
            cache.put(b"1", Generated("one"))
            await asyncio.sleep(0)
            with pytest.raises(WorkError, match="an answer can't be kept"):
                cache.put(b"2", Generated("two"))
            assert cache.get(b"2") == Generated("two")
            other.execute("CREATE TABLE answers (key BLOB PRIMARY KEY, answer TEXT)")
            other.close()
            cache.put(b"3", Generated("three"))

    asyncio.run(go())
    assert count(path) == 3


def test_keys_are_what_they_were() -> None:
    """Answers that were paid for under an earlier version are found."""
    video = Video((Image(b"a"), Image(b"b")), 2.0)
    messages = [
        Message.of("system", "Be bri\u00e9f."),
        Message("user", (video, Audio(b"w"), Image(b"i"), Text('Say "A"'))),
        Message.of("assistant", "no"),
    ]
    sampling = Sampling(64, 0.1, 0.9, 3, schema='{"type": "object"}')
    frames = hashlib.sha256(b"".join(hashlib.sha256(x).digest() for x in (b"a", b"b")))
    told = [
        "model",
        2,
        [64, 0.1, 0.9, 3, '{"type": "object"}'],
        ["system", ["text", "Be bri\u00e9f."]],
        [
            "user",
            ["video", "2.0", frames.hexdigest()],
            ["Audio", hashlib.sha256(b"w").hexdigest()],
            ["Image", hashlib.sha256(b"i").hexdigest()],
            ["text", 'Say "A"'],
        ],
        ["assistant", ["text", "no"]],
    ]
    whole = hashlib.sha256(json.dumps(told).encode()).digest()[:20]
    first, *turns = messages
    assert AnswerKeys("model", first, sampling, 2).of(turns) == whole


@given(st.text("ab $\n{}", max_size=30), st.text(max_size=10))
def test_blanks_are_filled_as_templates_are(around: str, value: str) -> None:
    text = f"{around.replace('$', '')}$one and ${{two}} for $$5{around.replace('$', '$$')}"
    prompt = Prompt("p.v1", text, text, "0")
    blanks = {"one": value, "two": f"{value}!"}
    assert prompt.fill(**blanks) == (Template(text).substitute(blanks),) * 2


def test_a_blank_that_nothing_fills_and_a_lone_sign_are_refused() -> None:
    with pytest.raises(KeyError):
        Prompt("p.v1", "$one", "", "0").fill()
    with pytest.raises(ValueError, match=r"lone \$"):
        Prompt("p.v1", "5 $ of it", "", "0").fill()
