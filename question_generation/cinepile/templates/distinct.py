"""Each question once: without names, many are the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from question_generation.cinepile.templates.human_question import HumanQuestion
from question_generation.drop import Drop
from question_generation.options import same
from question_generation.stage import Fate


@dataclass(frozen=True, slots=True)
class Distinct:
    """Keeps the first of those that differ in marks and capitals only; within a source."""

    name: str = "distinct"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    reads: type[HumanQuestion] = HumanQuestion
    writes: type[HumanQuestion] = HumanQuestion

    def gather(
        self, records: Iterable[HumanQuestion], *, seed: int
    ) -> Iterator[Fate[HumanQuestion]]:
        """See ``Gather``. Holds a digest of each question, nothing else."""
        seen: set[bytes] = set()
        for record in records:
            said = f"{record.source}\n{same(record.question)}"
            digest = sha256(said.encode()).digest()[:12]
            yield Fate((record.id,), Drop("asked before") if digest in seen else record)
            seen.add(digest)
