"""What the document's passes ask. Pure.

The instructions are files of ``streaming/prompt/texts``; a text that is changed gets another
version. Times are seconds of the programme. All words of the programme, and all that was said
about it, are JSON strings: data, that can't pass for a line of the prompt.

``share``: how much of the context a prompt keeps, from 1 to 0, where a model reads no more; the
newest stays. What is asked about stays whole, but for pictures: of those there are fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import TypeVar

from strad.cues import Cue
from strad.passes import Heard, Looked, Person, Spoken
from strad.speech import Word
from strad.timeline import Interval, Ms, to_seconds
from strad_engines.messages import Image, Message, Part, Text
from streaming.describers.strad_zero.material import CONTEXT, heard_and_described, quoted, span
from streaming.media import VideoFrame
from streaming.prompt.instructions import instructions
from streaming.prompt.languages import language_name
from streaming.prompt.times import decimal
from streaming.tasks.document.mentions import is_named
from streaming.tasks.document.slots import Slot
from streaming.window import Window

TEXTS = {
    "look": "document_look_v1",
    "entities": "document_entities_v1",
    "write": "document_write_v1",
    "shorten": "document_shorten_v1",
}
BUDGET = 1_500
"""Tokens of what was heard and described before."""
MOST_PEOPLE = 30
"""Of those seen so far, the newest."""
RECENT = 300
"""Steps in which they are looked for."""
FULL_SIGHT = 0.5
"""Share of the context from which on all pictures are shown."""

T = TypeVar("T")


def prompt_hash(*names: str) -> list[str]:
    """SHA-256 of the instructions that a pass sends."""
    return [instructions(TEXTS[name]).sha256 for name in names]


def look_messages(
    frames: Sequence[VideoFrame],
    new: Interval,
    heard: Sequence[Heard],
    earlier: Sequence[Looked],
    *,
    language: str,
    synopsis_words: int,
    share: float = 1.0,
) -> tuple[Message, Message]:
    """Ask what the new pictures show. ``earlier``: the steps before, oldest first."""
    synopsis = earlier[-1].synopsis if earlier else ""
    lines = [
        f"Story so far: {quoted(_last_words(synopsis, share))}",
        *_listed("People so far", last(_newest(earlier), share)),
        context(heard, (), new.end, language, share),
        "Pictures, each after its time in seconds of the programme:\n",
    ]
    parts: list[Part] = [Text("\n".join(lines))]
    for frame in _fewer(frames, share):
        note = "new" if frame.t > new.start else "earlier"
        parts += [Text(f"{decimal(frame.t)} {note}\n"), Image(frame.jpeg)]
    parts.append(Text(f"\nNew: {span(new)}\nNow: {decimal(new.end)}"))
    return _system("look", language, words=synopsis_words), Message("user", tuple(parts))


def entities_messages(
    looked: Sequence[Looked],
    heard: Sequence[Heard],
    known: Sequence[Person],
    *,
    language: str,
    share: float = 1.0,
) -> tuple[Message, Message]:
    """Ask who is who in these steps."""
    known = last(known[-2 * MOST_PEOPLE :], share)
    lines = ["People known:", *(_known(person) for person in known)]
    if not known:
        lines.append("(nobody)")
    told = [(h.start, f"{h.id} {span(h.when)} heard {quoted(h.text)}") for h in heard]
    for look in looked:
        told.append((look.start, _seen(look)))
        if look.read:
            told.append((look.start, f"{look.id} {span(look.when)} read {_strings(look.read)}"))
    lines += ["Lines:", *(line for _, line in sorted(told, key=lambda pair: pair[0]))]
    return _system("entities", language), Message.of("user", "\n".join(lines))


def write_messages(
    slot: Slot,
    matter: Sequence[Looked],
    people: Sequence[Person],
    heard: Sequence[Heard],
    said: Sequence[Spoken],
    alike: Sequence[str],
    *,
    language: str,
    share: float = 1.0,
) -> tuple[Message, Message]:
    """Ask what is to be said in this slot. ``alike``: of what was ``said``, the nearest."""
    named = [person for person in people if is_named(person, slot.when.start)]
    synopsis = matter[-1].synopsis if matter else ""
    lines = [
        f"Story so far: {quoted(_last_words(synopsis, share))}",
        context(heard, said, slot.when.start, language, share),
        *_listed("Described long before", last(alike, share)),
        *(f"Name: {quoted(p.description)} is {quoted(str(p.name))}" for p in named),
        *(_seen(look) for look in last(matter, share) or matter[-1:]),
        f"Free of speech: {span(slot.when)}",
        f"Room for words: {slot.words}",
        f"Now: {decimal(slot.when.start)}",
    ]
    return _system("write", language), Message.of("user", "\n".join(lines))


def shorten_messages(
    text: str, words: int, language: str, share: float = 1.0
) -> tuple[Message, Message]:
    """Ask for the same in at most so many words. There is no context to take from."""
    del share
    lines = f"Description: {quoted(text)}\nRoom for words: {words}"
    return _system("shorten", language), Message.of("user", lines)


def context(
    heard: Sequence[Heard], said: Sequence[Spoken], now: Ms, language: str, share: float = 1.0
) -> str:
    """What was heard and described in the two minutes before ``now``, as the stream tells it."""
    recent = Interval(max(0, now - CONTEXT), now)
    first, last = to_seconds(recent.start), to_seconds(recent.end)
    told = (h for h in heard if h.kind == "speech" and h.end > first and h.end <= last)
    words = tuple(Word(h.when, h.text) for h in told)
    before = (s for s in said if s.end > first and s.start < last)
    history = tuple(Cue(s.when, s.text, language) for s in before)
    window = Window(
        when=Interval(min(now, max(0, now - 1)), now),
        frames=(),
        audio=(),
        words=words,
        words_final_to=now + 1,
        history=history,
        gap=None,
        new_from=now,
        language=language,
    )
    return heard_and_described(window, int(BUDGET * share))[0]


def last(listed: Sequence[T], share: float) -> Sequence[T]:
    """The newest so many of them."""
    return listed[len(listed) - ceil(len(listed) * share) :]


def _last_words(text: str, share: float) -> str:
    return " ".join(last(text.split(), share))


def _fewer(frames: Sequence[VideoFrame], share: float) -> Sequence[VideoFrame]:
    """All of them; with hardly a context every second, with none the last; always the last."""
    if share >= FULL_SIGHT:
        return frames
    return frames[::-2][::-1] if share else frames[-1:]


def _system(task: str, language: str, **blanks: int) -> Message:
    filled = {name: str(value) for name, value in blanks.items()}
    text = instructions(TEXTS[task]).fill(language=language_name(language), **filled)
    return Message.of("system", text)


def _seen(look: Looked) -> str:
    who = f" with {_strings(look.people)}" if look.people else ""
    return f"{look.id} {span(look.when)} seen {quoted(look.seen)}{who}"


def _known(person: Person) -> str:
    name = f" named {quoted(person.name)}" if person.name else ""
    return f"{person.id} {quoted(person.description)} looks {_strings(person.looks)}{name}"


def _newest(earlier: Sequence[Looked]) -> list[str]:
    """The people seen last, each once, oldest first."""
    found: dict[str, None] = {}
    for look in reversed(earlier[-RECENT:]):
        found |= dict.fromkeys(reversed(look.people))
        if len(found) >= MOST_PEOPLE:
            break
    return list(found)[:MOST_PEOPLE][::-1]


def _listed(title: str, texts: Sequence[str]) -> list[str]:
    return [f"{title}: {_strings(texts)}"] if texts else []


def _strings(texts: Iterable[str]) -> str:
    return ", ".join(quoted(text) for text in texts)
