"""The pipeline: from people's questions to templates that wait for a person's review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from question_generation.cinepile.template import own_bank
from question_generation.cinepile.templates.clusters import Clusters, K
from question_generation.cinepile.templates.compare import Compare
from question_generation.cinepile.templates.distinct import Distinct
from question_generation.cinepile.templates.proposals import Propose
from question_generation.cinepile.templates.unname import RENAMER, Unname, UnnameByRule
from question_generation.embeddings.embedder import Embedder
from question_generation.stage import WRITER, Gather, Stage

ROLES: Mapping[str, str] = MappingProxyType(
    {
        RENAMER: "replaces names in people's questions",
        WRITER: "tells the kinds of questions in a cluster",
    }
)


@dataclass(frozen=True, slots=True)
class TemplatesPipeline:
    """CinePile's way from questions to templates."""

    steps: tuple[Stage[Any, Any] | Gather[Any, Any], ...]
    name: str = "templates"
    version: str = "1"
    prompts: tuple[str, ...] = ("cinepile-templates.", "cinepile-unname.")

    @property
    def roles(self) -> Mapping[str, str]:
        """Those that the steps ask."""
        asked = {role for step in self.steps if isinstance(step, Stage) for role in step.roles}
        return {role: told for role, told in ROLES.items() if role in asked}


def pipeline(
    embedder: Embedder,
    *,
    k: int = K,
    by_source: Mapping[str, int] = MappingProxyType({}),
    pick: Literal["random", "nearest"] = "random",
    names_by_model: bool = False,
) -> TemplatesPipeline:
    """All steps. ``by_source``: another ``k`` of a source, as 20 of Perception Test."""
    steps: Sequence[Stage[Any, Any] | Gather[Any, Any]] = (
        Unname() if names_by_model else UnnameByRule(),
        Distinct(),
        Clusters(embedder, k, dict(by_source), pick=pick),
        Propose(),
        Compare(embedder, own_bank()),
    )
    return TemplatesPipeline(tuple(steps))
