"""Neighbouring scenes that show the same are one: merged by the meaning of their descriptions.

The paper follows Panda-70M, which compares pictures' embeddings at the seam. Here what is described
at the seam is compared: the former's last line with the latter's first, and all with all. How alike
two texts are is told by their words, or by whatever else is given. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from typing import Any, TypeAlias

from question_generation.jointav.gather import sources
from question_generation.scene import Scene
from question_generation.stage import Fate

Likeness: TypeAlias = Callable[[str, str], float]
"""How alike two texts are: 0 to 1."""
_WORD = re.compile(r"[a-z0-9']+")
_SMALL_WORDS = """
a an and are as at by for from has he her his in into is it its of on or she that the their there
they this to was were who with
"""
_SMALL = frozenset(_SMALL_WORDS.split())


def by_words(one: str, other: str) -> float:
    """Cosine of the counts of words that say something."""
    first, second = (Counter(_words(text)) for text in (one, other))
    sizes = sqrt(_square(first) * _square(second))
    return sum(first[word] * second[word] for word in first) / sizes if sizes else 0.0


@dataclass(frozen=True, slots=True)
class Merge:
    """Joins scenes of a video. They come in the video's order, as the step before wrote them."""

    likeness: Likeness = by_words
    threshold: float = 0.5
    longest_s: float = 60.0
    """No scene becomes longer: a single-scene question is about less than a minute."""
    name: str = "merge"
    version: str = "1"

    @property
    def settings(self) -> Mapping[str, Any]:
        named = getattr(self.likeness, "__name__", type(self.likeness).__name__)
        return {"threshold": self.threshold, "longest_s": self.longest_s, "likeness": named}

    @property
    def reads(self) -> type[Scene]:
        return Scene

    @property
    def writes(self) -> type[Scene]:
        return Scene

    def gather(self, records: Iterable[Scene], *, seed: int) -> Iterator[Fate[Scene]]:
        for _, scenes in groupby(records, key=lambda scene: scene.video_id):
            for run in self.runs(scenes):
                yield Fate(tuple(scene.id for scene in run), joined(run))

    def runs(self, scenes: Iterable[Scene]) -> Iterator[list[Scene]]:
        """Neighbours that belong together."""
        run: list[Scene] = []
        for scene in sorted(scenes, key=lambda each: each.segment):
            if run and not self._goes_on(run, scene):
                yield run
                run = []
            run.append(scene)
        if run:
            yield run

    def _goes_on(self, run: Sequence[Scene], scene: Scene) -> bool:
        before = run[-1]
        if scene.segment[1] - run[0].segment[0] > self.longest_s:
            return False
        if not before.visuals or not scene.visuals:
            return False
        seam = self.likeness(before.visuals[-1].text, scene.visuals[0].text)
        whole = self.likeness(_all(before), _all(scene))
        return max(seam, whole) >= self.threshold


def joined(run: Sequence[Scene]) -> Scene:
    """One scene of several; its id is the first one's."""
    if len(run) == 1:
        return run[0]
    first, last = run[0], run[-1]
    update: dict[str, Any] = {
        name: tuple(line for scene in run for line in getattr(scene, name))
        for name in ("visuals", "dialogue", "sounds", "music", "vocal_traits")
    }
    update["segment"] = (first.segment[0], max(scene.segment[1] for scene in run))
    update["provenance"] = sources(run)
    return first.model_copy(update=update) if last is not first else first


def _all(scene: Scene) -> str:
    return " ".join(line.text for line in scene.visuals)


def _words(text: str) -> Iterator[str]:
    return (word for word in _WORD.findall(text.lower()) if word not in _SMALL)


def _square(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())
