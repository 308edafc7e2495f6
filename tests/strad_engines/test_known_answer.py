"""A known answer: kept in a file as it is, and asked for before an adapter is trusted."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.errors import FormatError, InputError
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.known_answer import (
    KnownAnswer,
    must_answer,
    read_known_answer,
    write_known_answer,
)
from strad_engines.messages import Audio, Image, Message, Part, Sampling, Text, Video
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions
from strad_engines.scripted_engine import ScriptedEngine
from tests.strad_engines.chat_server import STREAM, http, piece, serving

pytestmark = pytest.mark.service

IMAGE = st.binary(max_size=9).map(Image)
PART: st.SearchStrategy[Part] = st.one_of(
    st.text(max_size=9).map(Text),
    IMAGE,
    st.builds(
        Video,
        st.lists(IMAGE, min_size=1, max_size=3).map(tuple),
        st.floats(0.1, 30.0),
    ),
)
MESSAGE = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant"]),
    st.lists(PART, max_size=4).map(tuple),
)
KNOWN = KnownAnswer((Message.of("user", "?"),), Sampling(8), "WAIT")


@given(
    st.lists(MESSAGE, min_size=1, max_size=3).map(tuple),
    st.text(max_size=9),
    st.none() | st.text(max_size=9),
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    messages: tuple[Message, ...],
    answer: str,
    regex: str | None,
) -> None:
    known = KnownAnswer(messages, Sampling(8, presence_penalty=1.5, regex=regex), answer)
    path = tmp_path_factory.mktemp("known") / "known.json"
    write_known_answer(path, known)
    assert read_known_answer(path) == known


def test_sound_is_not_kept(tmp_path: Path) -> None:
    known = KnownAnswer((Message("user", (Audio(b"wav"),)),), Sampling(8), "WAIT")
    with pytest.raises(ValueError, match="Audio"):
        write_known_answer(tmp_path / "known.json", known)


GOOD = {"strad": "known-answer", "version": 1, "max_tokens": 8, "answer": "WAIT"}
ASKED = {"messages": [{"role": "user", "parts": [{"text": "?"}]}]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        json.dumps(GOOD),
        json.dumps({**GOOD, **ASKED, "version": 2}),
        json.dumps({**GOOD, **ASKED, "answer": 5}),
        json.dumps({**GOOD, **ASKED, "more": 5}),
        json.dumps({**GOOD, "messages": []}),
        json.dumps({**GOOD, "messages": [{"role": "user", "parts": [{"image": "?"}]}]}),
        json.dumps({**GOOD, "messages": [{"role": "user", "parts": [{"video": [], "fps": 1}]}]}),
    ],
)
def test_what_is_none_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"known\.json: .*") as raised:
        read_known_answer(path)
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError):
        read_known_answer(tmp_path / "nowhere")


def test_another_answer_than_the_known_one_is_a_refusal() -> None:
    asyncio.run(must_answer(ScriptedEngine(["WAIT"]), KNOWN))
    with pytest.raises(EngineRefusedError, match="'AD' instead of 'WAIT'"):
        asyncio.run(must_answer(ScriptedEngine(["AD"]), KNOWN))


CARD = {"id": "ad", "owned_by": "vllm", "parent": "base"}
PAGES = {
    "/v1/models": http(200, json.dumps({"data": [CARD]}).encode()),
    "/tokenize": http(404, b"{}"),
}


async def _open_adapter(answer: str, known: Path | None) -> str:
    async with (
        serving((STREAM, piece(answer, "stop")), pages=PAGES) as server,
        open_engine(f"openai:{server.url}", "ad", options=EngineOptions(known=known)) as opened,
    ):
        return opened.said[0]


def test_an_adapter_is_taken_only_once_it_gave_its_known_answer(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    write_known_answer(path, KNOWN)
    assert "ad, an adapter of base" in asyncio.run(_open_adapter("WAIT", path))
    with pytest.raises(EngineRefusedError, match="serve the merged checkpoint"):
        asyncio.run(_open_adapter("!!!!", path))
    with pytest.raises(EngineRefusedError, match="is an adapter of base, loaded beside it"):
        asyncio.run(_open_adapter("WAIT", None))


def test_every_engine_is_asked_for_a_known_answer(tmp_path: Path) -> None:
    write_known_answer(tmp_path / "known.json", KNOWN)
    (tmp_path / "script").write_text("AD\n")

    async def run() -> None:
        options = EngineOptions(known=tmp_path / "known.json")
        async with open_engine(f"scripted:{tmp_path / 'script'}", "", options=options):
            raise AssertionError

    with pytest.raises(EngineRefusedError, match="'AD' instead of 'WAIT'"):
        asyncio.run(run())
