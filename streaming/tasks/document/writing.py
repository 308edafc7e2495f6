"""Pass 4, *write*: a description for each slot that is worth one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from strad.passes import Heard, Looked, PassName, Person, Spoken, Written
from strad.timeline import Ms, to_seconds
from streaming.tasks.document.answers import read_forms
from streaming.tasks.document.folder import Unfinished
from streaming.tasks.document.looking import UNREADABLE
from streaming.tasks.document.mentions import Cast
from streaming.tasks.document.prompts import write_messages
from streaming.tasks.document.repetition import Told
from streaming.tasks.document.schemas import FORMS
from streaming.tasks.document.slots import Slot, matter, passed_over, slots
from streaming.tasks.document.workshop import Workshop

ANSWER_TOKENS = 300
ALIKE = 5
"""Earlier descriptions, from however long ago, that the writer is reminded of."""
NOTHING_WORTH = "nothing is worth saying"


async def write(
    shop: Workshop,
    heard: Sequence[Heard],
    duration: Ms,
    looked: Sequence[Looked],
    people: Sequence[Person],
    done: Unfinished[Written],
) -> list[Written]:
    """The lines of the pass, one a slot. Raises EngineError."""
    found = slots(heard, duration, shop.config)
    silent = passed_over(found, _importance(shop, found, looked), shop.config)
    desk = _Desk(shop, heard, people)
    for number, slot in enumerate(found):
        shop.told(PassName.WRITE, slot.when.start, duration)
        if number >= len(done.lines):
            about = matter(looked, slot, desk.told_until, shop.config)
            if slot.id in silent:
                done.add(_silent(slot, about, silent[slot.id]))
            else:
                done.add(await desk.write(slot, about))
        desk.wrote(done.lines[number])
    return done.lines


def _importance(shop: Workshop, found: Sequence[Slot], looked: Sequence[Looked]) -> dict[str, int]:
    """How much what has happened since the slot before matters, for each."""
    since: Ms = -1
    matters: dict[str, int] = {}
    for slot in found:
        about = matter(looked, slot, since, shop.config)
        matters[slot.id] = max((look.importance for look in about), default=0)
        since = max([since, *(look.when.end for look in about)])
    return matters


def _silent(slot: Slot, about: Sequence[Looked], why: str) -> Written:
    return Written(
        id=slot.id,
        start=to_seconds(slot.when.start),
        end=to_seconds(slot.when.end),
        importance=max((look.importance for look in about), default=0),
        skipped=why,
    )


class _Desk:
    """Knows what has been written so far."""

    def __init__(self, shop: Workshop, heard: Sequence[Heard], people: Sequence[Person]) -> None:
        self._shop = shop
        self._heard = heard
        self._people = people
        self._told = Told(Cast(people), shop.config.language)
        self._said: dict[str, Spoken] = {}
        self.told_until: Ms = -1
        """What is seen up to here has been written about."""

    def wrote(self, line: Written) -> None:
        """Remember a line that is finished."""
        if not line.forms:
            return
        text = line.forms[-1]
        self._said[line.id] = Spoken(id=line.id, start=line.start, end=line.end, text=text)
        self._told.add(line.id, text, line.when.start)
        self.told_until = line.when.start

    async def write(self, slot: Slot, about: Sequence[Looked]) -> Written:
        """The line for one slot."""
        if not about:
            return _silent(slot, about, NOTHING_WORTH)
        language = self._shop.config.language
        said = list(self._said.values())
        alike = self._alike(" ".join(look.seen for look in about))
        known = (slot, about, self._people, self._heard, said, alike)
        forms = await self._shop.asker.ask(
            lambda share: write_messages(*known, language=language, share=share),
            partial(read_forms, language=language),
            max_tokens=ANSWER_TOKENS,
            schema=FORMS,
        )
        if not forms:
            return _silent(slot, about, UNREADABLE if forms is None else NOTHING_WORTH)
        return _written(slot, about, forms)

    def _alike(self, seen: str) -> list[str]:
        return [self._said[id].text for id in self._told.nearest(seen, ALIKE)]


def _written(slot: Slot, about: Sequence[Looked], forms: tuple[str, ...]) -> Written:
    best = max(about, key=lambda look: (look.importance, look.start))
    return Written(
        id=slot.id,
        start=to_seconds(slot.when.start),
        end=to_seconds(slot.when.end),
        forms=forms,
        about=best.start,
        importance=best.importance,
    )
