"""Items of which it is known who can solve them: by reading, seeing, hearing, or only by both."""

from __future__ import annotations

from random import Random
from typing import Literal, TypeAlias

from question_generation.jointav.draft import Draft, Part, PartLine, part_of
from question_generation.scene import Kind
from tests.question_generation.jointav.film import film

Truth: TypeAlias = Literal["text-only", "vision-only", "audio-only", "joint"]
TRUTHS: tuple[Truth, ...] = ("text-only", "vision-only", "audio-only", "joint")


def planted(truth: Truth, number: int) -> Draft:
    """An item whose options are all in the film, at four moments of one scene."""
    video = f"{truth}-{number}"
    random = Random(video)
    scene = film(video, count=2)[1]
    part = part_of(scene, 1, ("dialogue", "sound"))
    seen = [line for line in part.lines if line.kind == "visual"]
    right = random.choice(seen[:4])
    cue = next(x.text for x in part.lines if x.kind == "dialogue" and x.start == right.start)
    question = f"What is happening when this comes: '{cue}'?"
    match truth:
        case "text-only":
            words = sorted(right.text.lower().rstrip(".").split())
            question = f"What is happening that has to do with {', '.join(words)}?"
        case "vision-only":
            part = _with(part, right, "visual", f"On the wall is written: {cue}")
        case "audio-only":
            part = _with(part, right, "dialogue", f"Look! {right.text}")
        case "joint":
            pass
    return Draft(
        id=video,
        video_id=video,
        question=question,
        answer=right.text,
        options=tuple(random.sample([line.text for line in seen[:4]], 4)),
        rationale="It is seen as it is said.",
        task="STL",
        segment=part.segment,
        parts=(part,),
    )


def made_joint(draft: Draft) -> str:
    """Another question with the same answer, in the same film, that needs both."""
    at = next(line.start for line in draft.parts[0].lines if line.text == draft.answer)
    lines = draft.parts[0].lines
    cue = next(x.text for x in lines if x.kind == "dialogue" and x.start == at)
    return f"What is happening when this comes: '{cue}'?"


def _with(part: Part, at: PartLine, kind: Kind, text: str) -> Part:
    """With one line more, at the same time as another."""
    line = PartLine(start=at.start, end=at.end, text=text, kind=kind)
    return part.model_copy(update={"lines": (*part.lines, line)})
