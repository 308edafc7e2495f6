"""What each proposal is like: for the person who merges those that ask the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from question_generation.cinepile.template import Bank
from question_generation.cinepile.templates.proposals import Proposal
from question_generation.drop import Drop
from question_generation.embeddings.embedder import Embedder, Vectors
from question_generation.options import same
from question_generation.stage import Fate


@dataclass(frozen=True, slots=True)
class Compare:
    """Names of each proposal the nearest of the bank and of those before it.

    A template that is word for word another's is dropped; a name that is taken gets a number.
    """

    embedder: Embedder
    bank: Bank
    name: str = "compare"
    version: str = "1"
    reads: type[Proposal] = Proposal
    writes: type[Proposal] = Proposal

    @property
    def settings(self) -> Mapping[str, Any]:
        names = [one.name for one in self.bank.templates]
        return {"embedder": self.embedder.name, "bank": self.bank.name, "names": names}

    def gather(self, records: Iterable[Proposal], *, seed: int) -> Iterator[Fate[Proposal]]:
        """See ``Gather``. Holds all proposals: some hundreds."""
        proposals = list(records)
        known = [one.template for one in self.bank.templates]
        names = [one.name for one in self.bank.templates]
        vectors = self.embedder.embed([*known, *(one.template for one in proposals)])
        taken, said = {same(name) for name in names}, {same(template) for template in known}
        for at, proposal in enumerate(proposals, start=len(known)):
            named = proposal.name
            if same(proposal.template) in said:
                yield Fate((proposal.id,), Drop("a template that is there already"))
            else:
                named = _unlike(proposal.name, taken)
                like, likeness = _nearest(vectors, at, names)
                update = {"name": named, "like": like, "likeness": likeness}
                yield Fate((proposal.id,), proposal.model_copy(update=update))
            said.add(same(proposal.template))
            names.append(named)


def _nearest(vectors: Vectors, at: int, names: Sequence[str]) -> tuple[str, float | None]:
    """The one of those before it that is most alike, and how much; nothing for the first."""
    if not at:
        return "", None
    near = vectors[:at] @ vectors[at]
    best = int(np.argmax(near))
    return names[best], round(float(np.clip(near[best], 0, 1)), 3)


def _unlike(name: str, taken: set[str]) -> str:
    """The name, or with the first number that makes it new."""
    number, found = 1, name
    while same(found) in taken:
        number += 1
        found = f"{name} {number}"
    taken.add(same(found))
    return found
