"""Questions into clusters by meaning: k-means over their embeddings, each source by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from question_generation.cinepile.templates.human_question import HumanQuestion
from question_generation.embeddings.embedder import Embedder, Vectors
from question_generation.provenance import Traced
from question_generation.stage import Fate
from strad.errors import MissingModelError

K = 50
SHOWN = 10
"""Questions of a cluster that a model is shown."""
STARTS = 4
"""How often k-means is begun anew; the tightest is kept."""


class Cluster(Traced):
    """Questions that ask alike."""

    source: str
    size: Annotated[int, Field(ge=1)]
    shown: tuple[str, ...]
    """Some of them."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """All questions of a source into ``k`` clusters, or into ``by_source``'s number of it."""

    embedder: Embedder
    k: int = K
    by_source: Mapping[str, int] = field(default_factory=dict)
    shown: int = SHOWN
    pick: Literal["random", "nearest"] = "random"
    """Which are shown. The paper found random ones to give more general templates."""
    name: str = "clusters"
    version: str = "1"
    reads: type[HumanQuestion] = HumanQuestion
    writes: type[Cluster] = Cluster

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "embedder": self.embedder.name,
            "k": self.k,
            "by_source": dict(self.by_source),
            "shown": self.shown,
            "pick": self.pick,
        }

    def gather(self, records: Iterable[HumanQuestion], *, seed: int) -> Iterator[Fate[Cluster]]:
        """See ``Gather``. Holds all questions and their vectors: 30,000 take some 60 MB."""
        by_source: dict[str, list[tuple[str, str]]] = {}
        for record in records:
            by_source.setdefault(record.source, []).append((record.id, record.question))
        for source, asked in by_source.items():
            vectors = self.embedder.embed([question for _, question in asked])
            labels, far = k_means(vectors, self.by_source.get(source, self.k), seed)
            for number in range(int(labels.max()) + 1):
                places = [int(place) for place in np.flatnonzero(labels == number)]
                chance = Random(f"shown {seed} {source} {number}")
                yield self._cluster(source, number, places, asked, far, chance)

    def _cluster(
        self,
        source: str,
        number: int,
        places: Sequence[int],
        asked: Sequence[tuple[str, str]],
        far: NDArray[np.float32],
        chance: Random,
    ) -> Fate[Cluster]:
        few = min(self.shown, len(places))
        picked = sorted(places, key=lambda place: (float(far[place]), place))[:few]
        if self.pick == "random":
            picked = sorted(chance.sample(list(places), few))
        made = Cluster(
            id=f"{source}-{number:03d}",
            source=source,
            size=len(places),
            shown=tuple(asked[place][1] for place in picked),
        )
        return Fate(tuple(asked[place][0] for place in places), made)


def k_means(vectors: Vectors, k: int, seed: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Of each row, its cluster (from 0, the one of the first row first), and how far its middle is.

    There are no more clusters than unlike rows. Raises MissingModelError without scikit-learn.
    """
    if find_spec("sklearn") is None:
        raise MissingModelError("clusters need scikit-learn: pip install 'strad[questions]'")
    library: Any = import_module("sklearn.cluster")
    unlike = len(np.unique(vectors.round(6), axis=0))
    found = library.KMeans(max(1, min(k, unlike)), n_init=STARTS, random_state=seed).fit(vectors)
    _, first, labels = np.unique(found.labels_, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first)).astype(np.int32)
    far = np.linalg.norm(vectors - found.cluster_centers_[found.labels_], axis=1)
    return rank[labels], far.astype(np.float32)
