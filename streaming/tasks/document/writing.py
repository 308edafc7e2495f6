"""Pass 4, *write*: a description for each slot that is worth one."""

from __future__ import annotations

from collections.abc import Sequence

from strad.passes import Heard, Looked, PassName, Person, Spoken, Written
from strad.timeline import Ms, to_seconds
from streaming.tasks.document.answers import read_forms
from streaming.tasks.document.folder import Unfinished
from streaming.tasks.document.looking import UNREADABLE
from streaming.tasks.document.mentions import Cast
from streaming.tasks.document.prompts import write_messages
from streaming.tasks.document.repetition import told_of
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
    cast = Cast(people)
    for number, slot in enumerate(found):
        shop.told(PassName.WRITE, slot.when.start, duration)
        if number < len(done.lines):
            continue
        since = _told_until(done.lines)
        about = matter(looked, slot, since, shop.config)
        if slot.id in silent:
            done.add(_silent(slot, about, silent[slot.id]))
        else:
            done.add(await _write(shop, slot, about, heard, people, cast, done.lines))
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


def _told_until(done: Sequence[Written]) -> Ms:
    """What is seen up to here has been written about."""
    last = next((line for line in reversed(done) if line.forms), None)
    return -1 if last is None else last.when.start


def _silent(slot: Slot, about: Sequence[Looked], why: str) -> Written:
    return Written(
        id=slot.id,
        start=to_seconds(slot.when.start),
        end=to_seconds(slot.when.end),
        importance=max((look.importance for look in about), default=0),
        skipped=why,
    )


async def _write(
    shop: Workshop,
    slot: Slot,
    about: Sequence[Looked],
    heard: Sequence[Heard],
    people: Sequence[Person],
    cast: Cast,
    done: Sequence[Written],
) -> Written:
    if not about:
        return _silent(slot, about, NOTHING_WORTH)
    said = [_as_said(line) for line in done if line.forms]
    alike = _alike(cast, said, " ".join(look.seen for look in about))
    language = shop.config.language
    messages = write_messages(slot, about, people, heard, said, alike, language=language)
    forms = await shop.asker.ask(
        messages, lambda answer: read_forms(answer, language), max_tokens=ANSWER_TOKENS
    )
    if not forms:
        return _silent(slot, about, UNREADABLE if forms is None else NOTHING_WORTH)
    best = max(about, key=lambda look: (look.importance, look.start))
    return Written(
        id=slot.id,
        start=to_seconds(slot.when.start),
        end=to_seconds(slot.when.end),
        forms=forms,
        about=best.start,
        importance=best.importance,
    )


def _alike(cast: Cast, said: Sequence[Spoken], seen: str) -> list[str]:
    texts = {line.id: line.text for line in said}
    told = told_of(cast, texts.items())
    return [texts[id] for id in told.nearest(seen, ALIKE)]


def _as_said(line: Written) -> Spoken:
    return Spoken(id=line.id, start=line.start, end=line.end, text=line.forms[-1])
