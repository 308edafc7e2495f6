"""Films to train on: rendered programmes, described in other words than the base model's.

Left and right are as on a stage, from within: a model says it so only if it was taught to. Over
some of what is seen somebody speaks, and then it is not described.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from strad.cues import Cue
from strad.timeline import Interval, Ms, to_seconds
from tests.models.programme import Programme, programme, render

LENGTH: Ms = 308_000
"""All the shapes there are, once."""
SAID = ("Who is there?", "Come in, please.", "I am here.", "Hello.")


@dataclass(frozen=True, slots=True)
class Film:
    """A programme and where it lies."""

    name: str
    plan: Programme
    media: Path

    @property
    def described(self) -> list[Cue]:
        """What should be said, in the words to be taught."""
        return [replace(cue, text=stage(cue.text)) for cue in self.plan.descriptions]

    @property
    def captions(self) -> Path:
        """What is said in it, WebVTT."""
        return self.media.with_suffix(".vtt")


def film(folder: Path, seed: int, length: Ms = LENGTH) -> Film:
    """Rendered, with its captions beside it."""
    plan = spoken(programme(seed, length))
    made = Film(f"film{seed}", plan, render(plan, folder / f"film{seed}.webm", fps=1))
    made.captions.write_text(plan.captions())
    return made


def spoken(plan: Programme) -> Programme:
    """The programme with somebody speaking over the end of every fourth shape."""
    opening = plan.said[:2]
    over = [
        Cue(Interval(shown.when.end - 1_200, shown.when.end + 4_000), SAID[n // 4 % len(SAID)])
        for n, shown in enumerate(plan.shown)
        if n % 4 == 1
    ]
    return replace(plan, said=(*opening, *over))


def stage(text: str) -> str:
    """Left for right."""
    other = {"left.": "right.", "right.": "left."}
    return " ".join(other.get(word, word) for word in text.split())


def manifest(path: Path, films: Sequence[Film]) -> Path:
    """What is described and said in them, as a benchmark has it."""
    videos = [
        {
            "id": one.name,
            "source": {"path": one.media.name},
            "duration": to_seconds(one.plan.length),
            "language": "en",
            "ad": [_timed(cue) for cue in one.described],
            "transcript": [_timed(cue) for cue in one.plan.said],
        }
        for one in films
    ]
    path.write_text(json.dumps({"version": 1, "name": path.stem, "videos": videos}))
    return path


def _timed(cue: Cue) -> dict[str, object]:
    start, end = to_seconds(cue.when.start), to_seconds(cue.when.end)
    return {"start": start, "end": end, "text": cue.text}
