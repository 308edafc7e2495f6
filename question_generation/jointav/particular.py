"""The checks of single tasks: audio type, ambiguity, interval, and the order of a sequence.

Where a model is asked, it points at lines, and rules decide: what it quotes must be there.
"""

from __future__ import annotations

from question_generation.ask import Ask
from question_generation.drop import Drop
from question_generation.jointav.check import JUDGE, Check, tasks_with
from question_generation.jointav.draft import SEEN, Draft, Part, lines_of, told
from question_generation.jointav.general import texts
from question_generation.jointav.intervals import Stretch, before, cut, needed
from question_generation.jointav.sequence import (
    By,
    Element,
    Unsound,
    find,
    judged,
    plain,
    written,
)
from question_generation.jointav.tasks import tasks
from question_generation.jointav.wording import shown
from question_generation.prompt import prompt
from question_generation.scene import Kind
from question_generation.stage import Desk
from strad.record import Record

AUDIO, AMBIGUITY = "jointav-audio.v1", "jointav-ambiguity.v1"
INTERVAL, EVENT, SEQUENCE = "jointav-interval.v1", "jointav-event.v1", "jointav-sequence.v1"


class AudioUse(Record):
    """Which heard line the answer rests on."""

    quote: str
    """Words of that line, as they stand there; empty: there is none."""
    seen_too: bool
    """Whether what is seen tells the same without that line."""


class Ambiguity(Record):
    """What else the question may be answered with."""

    others: tuple[str, ...]
    """Other answers that what is seen and heard allows; empty: none."""


class Needed(Record):
    """The smallest run of segments that the question needs."""

    first: int
    last: int


class Event(Record):
    """What a prediction needs, and where the event comes."""

    first: int
    """The first segment that is needed to predict it."""
    event: int
    """The segment in which the event is first seen or heard."""


class Found(Record):
    """Where one element first appears."""

    label: str
    """``a``, ``b`` or ``c``."""
    kind: Kind
    """The kind of the line."""
    quote: str
    """Words of that line, as they stand there."""


class FoundElements(Record):
    """All three."""

    elements: tuple[Found, ...]


async def audio(draft: Draft, desk: Desk) -> Draft | Drop:
    """What is heard must be there, and must not be plain to see."""
    heard = tasks()[draft.task].needs
    blanks = {**texts(draft), "seen": told(draft.parts, SEEN), "heard": told(draft.parts, *heard)}
    answered = await desk.ask(Ask(prompt(AUDIO), blanks, AudioUse), of=JUDGE)
    if isinstance(answered, Drop):
        return answered
    if not any(find(draft.parts, kind, answered.value.quote) for kind in heard):
        return Drop("the answer rests on nothing that is heard")
    if answered.value.seen_too:
        return Drop("what is heard can be seen as well")
    return draft.traced(answered.made)


async def ambiguity(draft: Draft, desk: Desk) -> Draft | Drop:
    """Nothing else may be the answer."""
    blanks = {**texts(draft), "material": told(draft.parts)}
    answered = await desk.ask(Ask(prompt(AMBIGUITY), blanks, Ambiguity), of=JUDGE)
    if isinstance(answered, Drop):
        return answered
    others = [
        one for one in answered.value.others if plain(one) and plain(one) != plain(draft.answer)
    ]
    if others:
        return Drop("something else may be the answer", others[0])
    return draft.traced(answered.made)


async def interval(draft: Draft, desk: Desk) -> Draft | Drop:
    """The draft keeps the smallest stretch it needs; a prediction, what comes before the event."""
    predicts = draft.task == "PDP"
    blanks = {**texts(draft), "material": told(draft.parts)}
    if predicts:
        event = await desk.ask(Ask(prompt(EVENT), blanks, Event), of=JUDGE)
        if isinstance(event, Drop):
            return event
        made, wanted = event.made, before(draft.parts, event.value.first, event.value.event)
    else:
        span = await desk.ask(Ask(prompt(INTERVAL), blanks, Needed), of=JUDGE)
        if isinstance(span, Drop):
            return span
        made = span.made
        wanted = needed(draft.parts, span.value.first, span.value.last, across=True)
    if not isinstance(wanted, Stretch):
        return Drop("no interval to ask about", wanted)
    return _cut(draft, cut(draft.parts, wanted)).traced(made)


def _cut(draft: Draft, parts: tuple[Part, ...]) -> Draft:
    return draft.model_copy(update={"parts": parts, "segment": shown(parts)})


async def sequence(draft: Draft, desk: Desk) -> Draft | Drop:
    """The order of first appearances, found by quotes; a wrong one is put right where it may be."""
    task = tasks()[draft.task]
    blanks = {**texts(draft), "material": told(draft.parts)}
    answered = await desk.ask(Ask(prompt(SEQUENCE), blanks, FoundElements), of=JUDGE)
    if isinstance(answered, Drop):
        return answered
    elements = [
        Element(one.label.strip("() ").lower(), one.kind, find(draft.parts, one.kind, one.quote))
        for one in answered.value.elements
    ]
    by: By = "part" if "order-of-segments" in task.checks else "time"
    found = judged(elements, draft.answer, by=by, correct="correctable" in task.checks)
    if isinstance(found, Unsound):
        return Drop(found.reason)
    if not found.corrected:
        return draft.traced(answered.made)
    update = {"answer": written(found.order), "rationale": _shown_order(elements)}
    return draft.model_copy(update=update).flagged("order corrected").traced(answered.made)


def _shown_order(elements: list[Element]) -> str:
    by_place = sorted(elements, key=lambda one: one.place or (0, 0.0))
    said = [f"({e.label}) in segment {e.place[0]} ({e.kind})" for e in by_place if e.place]
    return f"First appearances: {', '.join(said)}."


def heard_in(draft: Draft) -> bool:
    """Whether what its task needs to hear is still in its parts."""
    return bool(lines_of(draft.parts, *tasks()[draft.task].needs))


INTERVAL_CHECK = Check("interval-check", interval, tasks_with("interval"))
PARTICULAR = (
    INTERVAL_CHECK,
    Check("sequence-check", sequence, tasks_with("sequence")),
    Check("audio-check", audio, tasks_with("audio")),
    Check("ambiguity-check", ambiguity, tasks_with("ambiguity")),
)
