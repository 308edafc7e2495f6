"""What a question is made from and checked against: the parts of a video, and the draft itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from question_generation.item import Item
from question_generation.provenance import Count, Traced
from question_generation.scene import Kind, Scene
from strad.questions import Filled, Segment
from strad.record import Id, Record, TimedText

SEEN: Kind = "visual"


class PartLine(TimedText):
    """One line of a part, in seconds of the video."""

    kind: Kind


class Part(Record):
    """One scene of the video, as far as a task may use it: ``Segment 3`` in prompts."""

    number: Count
    """From 1, in the order of the video."""
    segment: Segment
    lines: tuple[PartLine, ...]
    """By time."""

    def of(self, *kinds: Kind) -> Part:
        """With the lines of these kinds only."""
        return self.model_copy(update={"lines": tuple(x for x in self.lines if x.kind in kinds)})

    def said(self, *kinds: Kind) -> str:
        """As a model is shown it, with lines of these kinds (none named: all).

        Times count from the video's start.
        """
        head = f"Segment {self.number} ({self.segment[0]:.1f} s to {self.segment[1]:.1f} s)"
        lines = [line for line in self.lines if not kinds or line.kind in kinds]
        return "\n".join([head, *[f"- {line_text(line)}" for line in lines]])


class Programme(Traced):
    """A video as the sequence of its scenes; ``id`` is the video's."""

    scenes: tuple[Scene, ...]
    """By time."""


class Assignment(Traced):
    """What to ask about: one task on one scene, or on all of a video."""

    video_id: Id
    film_id: Id | None = None
    scene_id: Id | None = None
    task: str
    place: Count
    """Which scene it is, from 0; 0 for all of a video."""
    parts: tuple[Part, ...]
    clip: str | None = None
    story: str | None = None
    """What the film is about, from elsewhere."""
    split: str | None = None


class Draft(Item):
    """An item that still carries what it was made from."""

    task: str
    rationale: Filled
    segment: Segment
    parts: tuple[Part, ...]
    clip: str | None = None

    def item(self) -> Item:
        """Without what it was made from."""
        given = self.model_fields_set - {"parts", "clip"}
        return Item.model_validate({name: value for name, value in self if name in given})


def line_text(line: PartLine) -> str:
    """The line as ``[12.5 s, dialogue] Leave it``."""
    return _line_text(line.start, line.kind, line.text)


@lru_cache(maxsize=4096)
def _line_text(start: float, kind: Kind, text: str) -> str:
    """Every draft of a film is shown the same lines, and each answerer again."""
    return f"[{start:.1f} s, {kind}] {' '.join(text.split())}"


def part_of(scene: Scene, number: int, kinds: Iterable[Kind]) -> Part:
    """The scene as part ``number``, with what is seen and the lines of ``kinds``."""
    lines = tuple(
        PartLine(start=one.said.start, end=one.said.end, text=one.said.text, kind=one.kind)
        for one in scene.lines(SEEN, *kinds)
    )
    return Part(number=number, segment=scene.segment, lines=lines)


def told(parts: Sequence[Part], *kinds: Kind) -> str:
    """The parts as a model is shown them; only these kinds of lines, where any are named."""
    return "\n\n".join([part.said(*kinds) for part in parts])


def lines_of(parts: Sequence[Part], *kinds: Kind) -> list[PartLine]:
    """All lines of these kinds, by part and time."""
    return [line for part in parts for line in part.lines if line.kind in kinds]
