"""Small parts of films, for tests."""

from __future__ import annotations

from question_generation.jointav.draft import Draft, Part, PartLine
from question_generation.scene import Kind
from strad.record import TimedText


def line(start: float, text: str, kind: Kind = "visual", length: float = 2.0) -> PartLine:
    """One line of a part."""
    return PartLine(start=start, end=start + length, text=text, kind=kind)


def part(number: int, *lines: PartLine, length: float = 10.0) -> Part:
    """Part ``number``: ten seconds, one after another."""
    start = (number - 1) * length
    return Part(number=number, segment=(start, start + length), lines=lines)


def timed(start: float, text: str) -> TimedText:
    """One line of a scene."""
    return TimedText(start=start, end=start + 2.0, text=text)


def draft(task: str, question: str, answer: str, parts: tuple[Part, ...], *wrong: str) -> Draft:
    """A draft about these parts."""
    return Draft(
        id="v_task1_0",
        video_id="v",
        question=question,
        answer=answer,
        options=(answer, *wrong) if wrong else (),
        rationale="It is seen and heard.",
        task=task,
        segment=(parts[0].segment[0], parts[-1].segment[1]),
        parts=parts,
    )
