"""What models were asked, and what that took: by model, for a record, a stage or a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Used:
    """Of one model; grows with each answer."""

    requests: int = 0
    prompt_tokens: int | None = 0
    """None: some answer did not tell."""
    completion_tokens: int | None = 0
    cost: float | None = 0.0
    """None: no price is known, or no tokens."""

    def add(
        self,
        prompt_tokens: int | None,
        completion_tokens: int | None,
        cost: float | None,
        *,
        requests: int = 1,
    ) -> None:
        """What one answer took, or so many."""
        self.requests += requests
        self.prompt_tokens = _sum(self.prompt_tokens, prompt_tokens)
        self.completion_tokens = _sum(self.completion_tokens, completion_tokens)
        self.cost = _cost(self.cost, cost)

    def told(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "requests": self.requests,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost": self.cost,
        }


@dataclass(slots=True)
class Spent:
    """Grows with each answer."""

    by_model: dict[str, Used] = field(default_factory=dict)
    fresh: int = 0
    """Answers that were not kept from before: paid now."""

    def join(self, other: Spent) -> None:
        """All that ``other`` holds as well."""
        for model, used in other.by_model.items():
            self.grow(model, used)
        self.fresh += other.fresh

    def grow(self, model: str, used: Used) -> None:
        """What was used of one model as well."""
        own = self.by_model.get(model)
        if own is None:
            own = self.by_model[model] = Used()
        own.add(used.prompt_tokens, used.completion_tokens, used.cost, requests=used.requests)

    def told(self) -> dict[str, Any]:
        """By model, in the order of their names, as JSON has it."""
        return {model: self.by_model[model].told() for model in sorted(self.by_model)}

    @classmethod
    def read(cls, told: Mapping[str, Mapping[str, Any]]) -> Spent:
        """From ``told``."""
        return cls({model: Used(**used) for model, used in told.items()})


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _cost(one: float | None, other: float | None) -> float | None:
    """To the billionth, so that no sum hangs on its order."""
    return None if one is None or other is None else round(one + other, 9)
