"""Segments without training (StrAD-Zero, after AutoAD-Zero): caption, then one sentence of it.

Whose faces are known is in the pictures, as coloured boxes, and in both prompts by name.
"""

from __future__ import annotations

from strad.decision import WaitReason
from strad.timeline import to_seconds
from strad_engines.messages import Image, Message, Part, Text
from streaming.describers.strad_zero.answers import read_caption
from streaming.describers.strad_zero.material import quoted, span
from streaming.prompt.elements import clean
from streaming.prompt.instructions import instructions
from streaming.prompt.languages import language_name
from streaming.prompt.line import first_line
from streaming.prompt.soundness import unfit
from streaming.prompt.times import decimal
from streaming.tasks.segments.describer import Asker, Said
from streaming.tasks.segments.segment import Clip

VERSION = "v1"
NOTHING = "NOTHING"
CAPTION_TOKENS, SENTENCE_TOKENS = 224, 96
WORDS_A_SECOND = 2.5
"""150 words a minute (StrAD, 4.1)."""


class ZeroSegments:
    """Two requests a segment; sees, and hears nothing."""

    hears = False

    def __init__(self, asker: Asker, *, model: str) -> None:
        self._asker = asker
        self._model = model

    @property
    def name(self) -> str:
        """``strad-zero:MODEL (segment prompts v1)``."""
        return f"strad-zero:{self._model} (segment prompts {VERSION})"

    async def describe(self, clip: Clip) -> Said:
        """See ``SegmentDescriber``."""
        answer = await self._asker.ask(caption_messages(clip), max_tokens=CAPTION_TOKENS)
        seen = read_caption(answer.text, clip.language)
        if isinstance(seen, WaitReason):
            return Said("", seen)
        answer = await self._asker.ask(sentence_messages(clip, seen), max_tokens=SENTENCE_TOKENS)
        text = clean(first_line(answer.text)).strip('"')
        why = unfit(text, clip.language)
        return Said("", why) if why else Said(text)


def caption_messages(clip: Clip) -> tuple[Message, ...]:
    """Ask what the pictures show."""
    parts: list[Part] = [Text("\n".join([*_marked(clip), "Pictures, each after its time:\n"]))]
    for frame in clip.frames:
        parts += [Text(f"{decimal(frame.t)} {_place(frame.t, clip)}\n"), Image(frame.jpeg)]
    parts.append(Text(f"\nMoment: {span(clip.when)}\nNow: {decimal(clip.shown.end)}"))
    return _told("segment_caption", clip.language), Message("user", tuple(parts))


def sentence_messages(clip: Clip, seen: str) -> tuple[Message, ...]:
    """Ask for a description of what was ``seen``, as long as the moment is."""
    length = to_seconds(clip.when.duration)
    words = max(2, round(length * WORDS_A_SECOND))
    lines = [*_marked(clip), f"Seen: {quoted(seen)}", f"Time: {length:.1f} s, about {words} words"]
    return _told("segment_describe", clip.language), Message.of("user", "\n".join(lines))


def _marked(clip: Clip) -> list[str]:
    if not clip.people:
        return []
    return ["Marked: " + ", ".join(quoted(f"{one.name} ({one.colour} box)") for one in clip.people)]


def _place(t: int, clip: Clip) -> str:
    if t < clip.when.start:
        return "before"
    return "during" if t <= clip.when.end else "after"


def _told(task: str, language: str) -> Message:
    text = instructions(f"zero_{task}_{VERSION}")
    return Message.of("system", text.fill(language=language_name(language), nothing=NOTHING))
