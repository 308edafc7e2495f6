"""What is too long is asked for shorter, the oldest context first; answers are held to a schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import jsonschema
import pytest

from strad.passes import Heard, Looked, Person, Spoken
from strad.timeline import Interval
from strad_engines.engine_errors import EngineError, EngineRefusedError, EngineTooLongError
from strad_engines.messages import Generated, Image, Message, Sampling, Text
from streaming.media import VideoFrame
from streaming.tasks.document import schemas
from streaming.tasks.document.asker import SHARES, Asker
from streaming.tasks.document.prompts import entities_messages, look_messages, write_messages
from streaming.tasks.document.slots import Slot
from tests.virtual_time import run

pytestmark = pytest.mark.unit


class ShortSighted:
    """Reads so many letters; and keeps to a schema, or refuses it."""

    name = "short-sighted"

    def __init__(self, reads: int, *, keeps: bool = True, says: bool = True) -> None:
        self._reads, self._keeps, self._says = reads, keeps, says
        self.asked: list[tuple[int, Sampling]] = []

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """The length of the prompt, as JSON."""
        del deadline_s
        length = letters(messages)
        self.asked.append((length, sampling))
        if length + sampling.max_tokens > self._reads:
            raise EngineTooLongError("too long", self._reads if self._says else None)
        if sampling.schema is not None and not self._keeps:
            raise EngineRefusedError("response_format is not supported")
        return Generated(json.dumps({"text": str(length)}))


def letters(messages: Sequence[Message]) -> int:
    parts = [part for message in messages for part in message.parts]
    return sum(len(part.text) if isinstance(part, Text) else 100 for part in parts)


def plain(share: float) -> Sequence[Message]:
    return (Message.of("user", "x" * (200 + int(1_000 * share))),)


@pytest.mark.parametrize(
    ("reads", "says", "length"),
    [(5_000, True, 1_200), (880, True, 450), (900, False, 700), (320, True, 200)],
)
def test_a_prompt_gets_as_much_context_as_is_read(reads: int, says: bool, length: int) -> None:
    """An answer takes no more than a third, once the limit is known."""
    asker = Asker(ShortSighted(reads, says=says))
    for _ in range(2):  # each time from the whole: nothing depends on what was asked before
        said = run(asker.ask(plain, lambda said: said, max_tokens=200))
        assert said == json.dumps({"text": str(length)})


def test_what_is_too_long_without_a_context_ends_it() -> None:
    engine = ShortSighted(150)
    with pytest.raises(EngineTooLongError):
        run(Asker(engine).ask(plain, lambda said: said, max_tokens=200))
    assert len(engine.asked) == len(SHARES)


def test_a_schema_is_asked_for_until_it_is_refused() -> None:
    engine = ShortSighted(5_000, keeps=False)
    asker = Asker(engine)
    for _ in range(2):
        assert run(asker.ask(plain, len, max_tokens=9, schema=schemas.SHORTER))
    assert [sampling.schema is not None for _, sampling in engine.asked] == [True, False, False]
    wrong_key = Refusing()
    with pytest.raises(EngineError):
        run(Asker(wrong_key).ask(plain, len, max_tokens=9, schema=schemas.SHORTER))
    assert wrong_key.asked == 2


class Refusing:
    """Answers nobody."""

    name = "refusing"
    asked = 0

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        del messages, sampling, deadline_s
        self.asked += 1
        raise EngineRefusedError("wrong key")


HEARD = [
    Heard(id=f"s{n}", kind="speech", start=n, end=n + 0.5, text=f"line {n}.") for n in range(90)
]
LOOKED = [
    Looked(id=f"v{n}", start=n, end=n + 1, seen=f"A cat {n}.", synopsis="old words and new")
    for n in range(9)
]
PEOPLE = [Person(id=f"p{n}", description=f"the cat with {n} spots") for n in range(40)]
SAID = [Spoken(id=f"g{n}", start=n, end=n + 0.4, text=f"Said {n}.") for n in range(90)]
SLOT = Slot("g1", Interval(95_000, 99_000))
FRAMES = [VideoFrame(t * 1_000, b"jpeg", 8, 8, 0) for t in range(90, 99)]


@pytest.mark.parametrize(
    "prompt",
    [
        lambda share: look_messages(
            FRAMES, Interval(90_000, 98_000), HEARD, LOOKED, language="en", synopsis_words=9,
            share=share,
        ),
        lambda share: entities_messages(LOOKED, HEARD, PEOPLE, language="en", share=share),
        lambda share: write_messages(
            SLOT, LOOKED, PEOPLE, HEARD, SAID, ["long ago"], language="en", share=share
        ),
    ],
    ids=["look", "entities", "write"],
)  # fmt: skip
def test_the_oldest_goes_first_and_what_is_asked_about_stays(
    prompt: Callable[[float], Sequence[Message]],
) -> None:
    made = [prompt(share) for share in SHARES]
    lengths = [letters(messages) for messages in made]
    assert lengths == sorted(set(lengths), reverse=True)
    whole, least = (
        [
            line
            for message in messages[1:]
            for part in message.parts
            if isinstance(part, Text)
            for line in part.text.splitlines()
        ]
        for messages in (made[0], made[-1])
    )
    assert whole[-1] == least[-1]
    pictures = [[p for p in made[n][1].parts if isinstance(p, Image)] for n in (0, 1, -1)]
    assert len(pictures[0]) == len(pictures[1])
    assert pictures[-1] == pictures[0][-1:]


def test_every_schema_is_one_that_a_server_may_insist_on() -> None:
    """All members needed, no others: what OpenAI calls strict."""
    for text in (schemas.LOOK, schemas.PEOPLE, schemas.FORMS, schemas.SHORTER):
        schema = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False
    jsonschema.validate({"short": None, "medium": None, "long": "It."}, json.loads(schemas.FORMS))
