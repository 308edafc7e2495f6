"""Pass 3, *entities*: who is who, batch by batch; names only as the programme gives them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from strad.passes import Guess, Heard, Looked, PassName, Person, PersonGuess
from strad_engines.engine_errors import EngineTooLongError
from strad_engines.messages import Message
from streaming.tasks.document.answers import read_people
from streaming.tasks.document.folder import Unfinished
from streaming.tasks.document.looking import UNREADABLE
from streaming.tasks.document.prompts import entities_messages
from streaming.tasks.document.schemas import PEOPLE
from streaming.tasks.document.who import Book, givens
from streaming.tasks.document.workshop import Workshop

ANSWER_TOKENS = 2_000


async def name(
    shop: Workshop, heard: Sequence[Heard], looked: Sequence[Looked], done: Unfinished[Guess]
) -> list[Person]:
    """The lines of the pass; the guesses that are done already are not asked for again."""
    speech = [line for line in heard if line.kind == "speech"]
    book = Book(givens(speech, looked))
    size = shop.config.batch
    for number, first in enumerate(range(0, len(looked), size)):
        batch = looked[first : first + size]
        shop.told(PassName.ENTITIES, batch[0].when.start, looked[-1].when.end)
        if number >= len(done.lines):
            lines = [line for line in speech if _within(line, batch)]
            done.add(await _guess(shop, batch, lines, book.people(), number))
        book.take(done.lines[number].people)
    return book.people()


def _within(line: Heard, batch: Sequence[Looked]) -> bool:
    return batch[0].start <= line.start < batch[-1].end


async def _guess(
    shop: Workshop,
    batch: Sequence[Looked],
    speech: Sequence[Heard],
    known: Sequence[Person],
    number: int,
) -> Guess:
    if not any(look.people for look in batch):
        return Guess(id=f"b{number + 1}")
    found = await _people(shop, batch, speech, known)
    if found is None:
        return Guess(id=f"b{number + 1}", failed=UNREADABLE)
    return Guess(id=f"b{number + 1}", people=found)


async def _people(
    shop: Workshop, batch: Sequence[Looked], speech: Sequence[Heard], known: Sequence[Person]
) -> tuple[PersonGuess, ...] | None:
    """Who is who in these steps; what is too long for the model is asked about in two halves."""
    try:
        return await shop.asker.ask(
            partial(_messages, batch, speech, known, shop.config.language),
            read_people,
            max_tokens=ANSWER_TOKENS,
            schema=PEOPLE,
        )
    except EngineTooLongError:
        if len(batch) == 1:
            raise
    middle = len(batch) // 2
    halves = []
    for half in (batch[:middle], batch[middle:]):
        lines = [line for line in speech if _within(line, half)]
        halves.append(await _people(shop, half, lines, known))
    found = [people for people in halves if people is not None]
    return tuple(guess for people in found for guess in people) if found else None


def _messages(
    batch: Sequence[Looked],
    speech: Sequence[Heard],
    known: Sequence[Person],
    language: str,
    share: float,
) -> Sequence[Message]:
    return entities_messages(batch, speech, known, language=language, share=share)
