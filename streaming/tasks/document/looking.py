"""Pass 2, *look*: what each step's pictures show, with the story so far carried along.

Only one step's pictures are held at a time, and the one before them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from strad.passes import Heard, Looked, PassName
from strad.timeline import Interval, Ms, to_seconds
from streaming.ingest import open_media
from streaming.media import VideoFrame
from streaming.tasks.document.answers import Look, read_look
from streaming.tasks.document.folder import Unfinished
from streaming.tasks.document.prompts import look_messages
from streaming.tasks.document.schemas import LOOK
from streaming.tasks.document.workshop import Workshop

MOST_FRAMES = 9
"""Pictures of one request, at most."""
ANSWER_TOKENS = 700
UNREADABLE = "no answer could be read"


@dataclass(frozen=True, slots=True)
class Step:
    """A span of the video and its pictures; first, where there is one, the one before it."""

    number: int
    when: Interval
    frames: tuple[VideoFrame, ...]

    @property
    def has_new(self) -> bool:
        """Whether there is a picture that was not in an earlier step."""
        return bool(self.frames) and self.frames[-1].t > self.when.start


async def look(
    shop: Workshop, heard: Sequence[Heard], duration: Ms, done: Unfinished[Looked]
) -> list[Looked]:
    """The lines of the pass, those that are done already first. Raises EngineError, MediaError."""
    speech = [line for line in heard if line.kind == "speech"]
    async with open_media(shop.source, shop.ingest) as media:
        frames = (item async for item in media if isinstance(item, VideoFrame))
        async for step in steps(frames, shop.config.step, duration):
            shop.told(PassName.LOOK, step.when.end, duration)
            if step.number >= len(done.lines):
                done.add(await _look(shop, speech, done.lines, step))
    return done.lines


async def steps(frames: AsyncIterator[VideoFrame], length: Ms, duration: Ms) -> AsyncIterator[Step]:
    """All steps of the video, also those without a picture."""
    held: list[VideoFrame] = []
    number = 0
    async for frame in frames:
        while frame.t > (number + 1) * length:
            yield _step(number, length, duration, held)
            held, number = held[-1:], number + 1
        held.append(frame)
    while number * length < duration:
        yield _step(number, length, duration, held)
        held, number = held[-1:], number + 1


def _step(number: int, length: Ms, duration: Ms, held: Sequence[VideoFrame]) -> Step:
    start = number * length
    when = Interval(start, max(start, min(start + length, duration)))
    before = [frame for frame in held if frame.t <= start][-1:]
    new = [frame for frame in held if frame.t > start]
    kept = new[:: -(-len(new) // (MOST_FRAMES - 1)) or 1]
    return Step(number, when, (*before, *kept))


async def _look(
    shop: Workshop, speech: Sequence[Heard], earlier: Sequence[Looked], step: Step
) -> Looked:
    synopsis = earlier[-1].synopsis if earlier else ""
    if not step.has_new:
        return _line(step, Look("", (), (), 0, synopsis), None)
    config = shop.config
    how: dict[str, Any] = {
        "language": config.language,
        "synopsis_words": config.synopsis_words,
    }
    found = await shop.asker.ask(
        lambda share: look_messages(step.frames, step.when, speech, earlier, **how, share=share),
        lambda answer: read_look(answer, **how),
        max_tokens=ANSWER_TOKENS,
        schema=LOOK,
    )
    if found is None:
        return _line(step, Look("", (), (), 0, synopsis), UNREADABLE)
    return _line(step, found, None)


def _line(step: Step, found: Look, failed: str | None) -> Looked:
    told = Looked(
        id=f"v{step.number + 1}",
        start=to_seconds(step.when.start),
        end=to_seconds(step.when.end),
        seen=found.seen,
        people=found.people,
        read=found.read,
        importance=found.importance,
        synopsis=found.synopsis,
    )
    return told if failed is None else told.model_copy(update={"failed": failed})
