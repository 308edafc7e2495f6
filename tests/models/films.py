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
from strad.efficiency import Outcome, WindowLog
from strad.timeline import Interval, Ms, from_seconds, to_seconds
from tests.models.programme import Programme, programme, render
from training.labels import label

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


def wait_f1(films: Sequence[Film], windows: Sequence[WindowLog]) -> float:
    """How well silence is kept: F1 of WAIT over all windows that were asked about.

    Right is what a window would be an example of, with what was described rightly before it.
    """
    kept = wanted = waited = 0
    for one in films:
        unseen = list(one.described)
        for window in (w for w in windows if w.video_id == one.name):
            cursor = from_seconds(window.cursor)
            seen = Interval(max(0, cursor - 8_000), cursor)
            begun = [cue for cue in unseen if cue.when.start < cursor]
            right = label(seen, begun, speech=False)
            waits = window.decision is not Outcome.AD
            kept += waits and right.event is None
            wanted += right.event is None
            waited += waits
            if right.event is not None and not waits:
                unseen.remove(right.event)
    return 2 * kept / (wanted + waited)
