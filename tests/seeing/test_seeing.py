"""The endpoint of the tests answers from what it is shown, and refuses what lacks something."""

from __future__ import annotations

import asyncio
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Picture

from strad.cues import Cue
from strad.timeline import Interval
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Image, Message, Part, Sampling, Text
from strad_engines.openai_engine import OpenAIEngine
from tests.seeing import glyphs
from tests.seeing.asked import Asked
from tests.seeing.eyes import decoded, look
from tests.seeing.film import COLOURS, FORMS, MOTIONS, Figure, Film, Title
from tests.seeing.mind import LackingError
from tests.seeing.server import MODEL, SeeingServer, seeing

pytestmark = pytest.mark.service

WORDS = st.text(glyphs.CHARACTERS, min_size=1, max_size=12)


def jpeg(picture: Picture.Image, quality: int = 75) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality)
    return out.getvalue()


@settings(max_examples=40)
@given(
    st.sampled_from(list(COLOURS)),
    st.sampled_from(FORMS),
    st.sampled_from(list(MOTIONS)),
    st.integers(0, 3_999),
    WORDS,
)
def test_what_is_drawn_is_seen(colour: str, form: str, motion: str, t: int, label: str) -> None:
    figure = Figure(Interval(0, 4_000), colour, form, motion, label)
    title, line = "ROOM 12", "Who is there, Anna?"
    when = figure.when
    film = Film(4_000, (figure,), (Title(when, title),), (Cue(when, line),), burned_in=True)
    sight = look(decoded(jpeg(film.picture(t))))
    assert [(seen.look, seen.label) for seen in sight.figures] == [(f"{colour} {form}", label)]
    assert (sight.titles, sight.captions) == ((title,), (line,))


@pytest.mark.parametrize("text", ["schön", " ", "a\nb"])
def test_what_could_not_be_read_again_is_not_drawn(text: str) -> None:
    with pytest.raises(ValueError, match="can't be written"):
        glyphs.write(Picture.new("RGB", (100, 100)), text, 0, 0)


FILM = Film(
    8_000,
    (Figure(Interval(0, 4_000), "red", "circle", "right"),),
    (Title(Interval(4_000, 8_000), "ROOM 12"),),
)
CONTEXT = (
    'Heard and described earlier, in seconds of the programme:\n0.5-1.5 heard "Who is there?"\n'
)


def shown(*seconds: int, new: str, now: float) -> list[Part]:
    parts: list[Part] = []
    for t in seconds:
        parts += [Text(f"{t}.0 new"), Image(jpeg(FILM.picture(1_000 * t)))]
    return [*parts, Text(f"New: {new}\nNow: {now}")]


async def ask(server: SeeingServer, task: str, *parts: Part) -> str:
    messages = (Message.of("system", f"Task: {task}\nDo it."), Message("user", parts))
    async with OpenAIEngine(server.url, MODEL, stream=False) as engine:
        return (await engine.generate(messages, Sampling(64), deadline_s=20)).text


def test_a_caption_says_what_moves_and_what_can_be_read() -> None:
    async def talk() -> list[str]:
        async with seeing() as server:
            return [
                await ask(server, "caption", *shown(1, 2, new="0.0-2.0", now=2.0)),
                await ask(server, "caption", *shown(5, 6, new="4.0-6.0", now=6.0)),
                await ask(server, "caption", *shown(8, new="7.0-8.0", now=8.0)),
            ]

    said = asyncio.run(talk())
    assert said == ["A red circle moves right.", "The words 'ROOM 12' appear.", "NOTHING"]


def test_a_decision_and_a_description_come_from_caption_and_context() -> None:
    caption = json.dumps("A red circle moves right.")
    rest = f"Free of speech: 1.5-4.0\nCaption: {caption}\nNow: 4.0"
    told = '2.0-4.0 described "A red circle moves right, slowly."\n'

    async def talk() -> list[str]:
        async with seeing() as server:
            return [
                await ask(server, "decide", Text(CONTEXT + rest)),
                await ask(server, "decide", Text(CONTEXT + told + rest)),
                await ask(server, "describe", Text(CONTEXT + rest)),
            ]

    emit, wait, forms = asyncio.run(talk())
    assert (emit, wait) == ("AD", "WAIT")
    assert json.loads(forms)["short"] == "A red circle moves right."


@pytest.mark.parametrize(
    ("task", "parts"),
    [
        ("caption", [Text("New: 0.0-2.0\nNow: 2.0")]),
        ("caption", shown(1, new="0.0-2.0", now=2.0)),
        ("caption", shown(2, 1, new="0.0-2.0", now=2.0)),
        ("caption", shown(1, 2, 3, new="0.0-2.0", now=2.0)),
        ("caption", [Image(jpeg(FILM.picture(0))), Text("New: 0.0-1.0\nNow: 1.0")]),
        ("caption", [Text("1.0 new"), Image(b"no picture"), Text("New: 0.0-1.0\nNow: 1.0")]),
        ("decide", [Text('Free of speech: 1.0-2.0\nCaption: "x"\nNow: 2.0')]),
        ("decide", [Text(CONTEXT + 'Free of speech: 1.0-2.0\nCaption: "x"')]),
        ("decide", [Text(CONTEXT + 'Caption: "x"\nNow: 2.0')]),
        ("describe", [Text(CONTEXT + "Free of speech: 1.0-2.0\nNow: 2.0")]),
        ("dream", [Text("Now: 2.0")]),
    ],
)
def test_what_lacks_something_is_refused(task: str, parts: list[Part]) -> None:
    async def talk() -> SeeingServer:
        async with seeing() as server:
            with pytest.raises(EngineRefusedError, match="400"):
                await ask(server, task, *parts)
            return server

    server = asyncio.run(talk())
    assert len(server.refused) == 1
    assert server.answers == []


def test_more_can_be_expected_and_taught() -> None:
    def expects(asked: Asked) -> None:
        if "Anna" not in asked.text:
            raise LackingError("Anna")

    async def talk() -> str:
        async with seeing({"greet": lambda a: f"Hello {a.text}"}, expects=expects) as server:
            with pytest.raises(EngineRefusedError, match="Anna"):
                await ask(server, "greet", Text("Bo"))
            return await ask(server, "greet", Text("Anna"))

    assert asyncio.run(talk()) == "Hello Anna"
