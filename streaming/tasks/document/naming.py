"""Pass 3, *entities*: who is who, batch by batch; names only as the programme gives them."""

from __future__ import annotations

from collections.abc import Sequence

from strad.passes import Guess, Heard, Looked, PassName, Person
from streaming.tasks.document.answers import read_people
from streaming.tasks.document.folder import Unfinished
from streaming.tasks.document.looking import UNREADABLE
from streaming.tasks.document.prompts import entities_messages
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
    messages = entities_messages(batch, speech, known, language=shop.config.language)
    found = await shop.asker.ask(messages, read_people, max_tokens=ANSWER_TOKENS)
    if found is None:
        return Guess(id=f"b{number + 1}", failed=UNREADABLE)
    return Guess(id=f"b{number + 1}", people=found)
