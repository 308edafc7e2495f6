"""Which films are for testing: whole films, genres and decades in the shares that all have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from question_generation.scene import Scene
from question_generation.stage import Fate

TRAIN, TEST = "train", "test"
PAPERS_SHARE = 148 / 9396


@dataclass(frozen=True, slots=True)
class Split:
    """Every scene gets the split of its film. A scene that has one already keeps its film there.

    Films are taken for testing one by one, each time the one that brings the test split's genres
    and decades, weighed by scenes, nearest to their shares of the whole.
    """

    test_share: float = 0.1
    """Of all scenes. The paper's is ``PAPERS_SHARE``, of far more of them."""
    name: str = "split"
    version: str = "1"
    reads: type[Scene] = Scene
    writes: type[Scene] = Scene

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"test_share": self.test_share}

    def gather(self, records: Iterable[Scene], *, seed: int) -> Iterator[Fate[Scene]]:
        """All scenes go on, in their order."""
        films = _films(records)
        tests = test_films(films, self.test_share, seed)
        for scene in records:
            split = films[scene.film].given or (TEST if scene.film in tests else TRAIN)
            yield Fate((scene.id,), scene.model_copy(update={"split": split}))


@dataclass(slots=True)
class Film:
    """What the choice hangs on."""

    labels: frozenset[str] = frozenset()
    """Genres and decade."""
    scenes: int = 0
    given: str | None = None
    """A split that is settled already."""


def labels_of(scene: Scene) -> frozenset[str]:
    """Genres and decade of the scene's film; ``unknown`` where nothing is known of either."""
    facts = scene.facts
    genres = {f"genre {one.casefold()}" for one in facts.genre} if facts else set()
    decade = f"decade {facts.year // 10 * 10}" if facts and facts.year else "decade unknown"
    return frozenset(genres or {"genre unknown"}) | {decade}


def test_films(films: Mapping[str, Film], share: float, seed: int) -> set[str]:
    """The films for testing. At least one film stays on either side, where there are two."""
    names = sorted(name for name, film in films.items() if film.given is None)
    Random(seed).shuffle(names)
    if len(names) < 2 or share <= 0:
        return set()
    weights, marks = _matrix([films[name] for name in names])
    wanted = share * (marks * weights[:, None]).sum(axis=0)
    chosen = _nearest(marks * weights[:, None], weights, wanted, share * weights.sum())
    return {names[place] for place in chosen}


def _films(records: Iterable[Scene]) -> dict[str, Film]:
    films: dict[str, Film] = {}
    for scene in records:
        film = films.setdefault(scene.film, Film())
        film.scenes += 1
        film.labels |= labels_of(scene)
        film.given = film.given or scene.split
    return films


def _matrix(films: Sequence[Film]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scenes of each film; and for each film (row) which labels (columns) it has."""
    counted = Counter(label for film in films for label in film.labels)
    labels = sorted(counted)
    marks = np.array([[label in film.labels for label in labels] for film in films], dtype=float)
    return np.array([film.scenes for film in films], dtype=float), marks


def _nearest(
    rows: NDArray[np.float64],
    weights: NDArray[np.float64],
    wanted: NDArray[np.float64],
    scenes: float,
) -> list[int]:
    """Rows whose sum is near to ``wanted``, until they weigh ``scenes`` or nearly so."""
    left = wanted.copy()
    free = np.ones(len(rows), dtype=bool)
    scale = 1.0 / np.maximum(wanted, 1.0)
    chosen: list[int] = []
    weighed = 0.0
    while len(chosen) < len(rows) - 1:
        cost = (((left - rows) ** 2) * scale).sum(axis=1)
        # Without films that would lead further past the target than staying short of it.
        over = np.abs(weighed + weights - scenes) > abs(weighed - scenes)
        cost[~free | (over & bool(chosen))] = np.inf
        best = int(np.argmin(cost))
        if not np.isfinite(cost[best]):
            break
        chosen.append(best)
        free[best] = False
        weighed += weights[best]
        left -= rows[best]
    return chosen
