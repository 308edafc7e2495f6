"""Many windows put to an engine, and what share of the answers is right."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from strad_engines.engine import ChatEngine
from strad_engines.messages import Sampling
from streaming.media import VideoFrame
from streaming.prompt.profile import Profile
from tests.models import lessons, shapes
from tests.models.shapes import Sample

HELD_OUT = 20_011
"""The seed of windows that no course shows."""
AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Marks:
    """Answers to windows, beside what is right about them as they really are."""

    answers: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def overall(self) -> float:
        """The share of answers that are right to the letter."""
        return _share(a == b for a, b in zip(self.answers, self.right, strict=True))

    @property
    def of_ad(self) -> float:
        """The same among the windows to be described."""
        pairs = zip(self.answers, self.right, strict=True)
        return _share(a == b for a, b in pairs if b != "WAIT")

    def words(self, place: int) -> float:
        """Where both describe: how often the word at ``place`` of the line is right."""
        lines = [(a.split(), b.split()) for a, b in zip(self.answers, self.right, strict=True)]
        return _share(
            a[place : place + 1] == b[place : place + 1]
            for a, b in lines
            if len(b) > 1 and len(a) > 1
        )


COLOUR, FORM, MOTION, START, END = 3, 4, 6, 1, 7
"""Places of a line: ``AD <0.0> A red circle moves left. <3.0>``."""


def held_out(count: int) -> list[Sample]:
    """Windows for an exam."""
    return list(itertools.islice(shapes.samples(HELD_OUT), count))


async def examine(
    engine: ChatEngine,
    profile: Profile,
    seen: Sequence[Sample],
    *,
    shown: Callable[[Sample], Sample] = lambda sample: sample,
    right: Callable[[Sample], Sample] = lambda sample: sample,
    sampling: Sampling | None = None,
) -> Marks:
    """Ask about each window as ``shown`` changes it; mark by the window as it is."""
    room = asyncio.Semaphore(AT_ONCE)
    asked = sampling or Sampling(max_tokens=40)

    async def ask(sample: Sample) -> str:
        async with room:
            chat = profile.render(shown(sample).window)
            return (await engine.generate(chat, asked, deadline_s=300)).text.strip()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ask(sample)) for sample in seen]
    return Marks(
        tuple(task.result() for task in tasks),
        tuple(lessons.line(right(sample), profile) for sample in seen),
    )


def blanked(sample: Sample) -> Sample:
    """Its pictures gone grey."""
    grey = shapes.picture(None, 0.0, 128)
    image = shapes.jpeg(grey)
    return _with(sample, [replace(f, jpeg=image, hash=0) for f in sample.window.frames])


def exchanged(seen: Sequence[Sample]) -> Callable[[Sample], Sample]:
    """Each window with the pictures of another one."""
    place = {id(sample): n for n, sample in enumerate(seen)}

    def exchange(sample: Sample) -> Sample:
        other = seen[(place[id(sample)] + 37) % len(seen)].window.frames
        return _with(
            sample,
            [
                replace(theirs, t=ours.t)
                for ours, theirs in zip(sample.window.frames, other, strict=True)
            ],
        )

    return exchange


def shuffled(seed: int) -> Callable[[Sample], Sample]:
    """The pictures of a window in another order."""
    rng = np.random.default_rng(seed)

    def shuffle(sample: Sample) -> Sample:
        frames = sample.window.frames
        order = rng.permutation(len(frames))
        return _with(
            sample,
            [replace(frames[int(n)], t=frame.t) for n, frame in zip(order, frames, strict=True)],
        )

    return shuffle


def _with(sample: Sample, frames: Sequence[VideoFrame]) -> Sample:
    return replace(sample, window=replace(sample.window, frames=tuple(frames)))


def _share(rights: object) -> float:
    found = [bool(right) for right in rights]  # type: ignore[attr-defined]
    return sum(found) / len(found) if found else 0.0
