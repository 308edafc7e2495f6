"""What a run would ask for, before it asks: from a first run of few scenes, or the text alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from question_generation.asking import CHARACTERS_A_TOKEN
from question_generation.intake import INTAKE, records_of
from question_generation.prices import Prices
from question_generation.scene import Scene
from question_generation.stage import Gather, Pipeline
from question_generation.step_files import all_of
from strad.errors import InputError

MEASURED, GUESSED = "by what FOLDER's run took", "by rules of thumb (run with --limit 20 to know)"


@dataclass(frozen=True, slots=True)
class Expected:
    """Of one step: rules of thumb from runs of ours, for those that have no run yet."""

    grows: float = 1.0
    """Records out for one in."""
    requests: float = 1.0
    """For one record in, all roles together."""
    scene: bool = True
    """Whether the scene's text goes along."""
    overhead: int = 500
    """Tokens of a prompt beside it."""
    answer: int = 120
    """Tokens of an answer."""


EXPECTED: Mapping[str, Expected] = {
    "shortlist": Expected(grows=5.5, overhead=2500, answer=150),
    "write": Expected(grows=0.9, answer=250),
    "refine": Expected(requests=7, scene=False, overhead=450, answer=60),
    "degeneracy": Expected(requests=3, scene=False, overhead=350, answer=15),
    "vision-reliance": Expected(requests=5, answer=15),
    "hardness": Expected(requests=5, answer=15),
    "pictures": Expected(requests=1, scene=False, answer=150),
    "assign": Expected(grows=6.0, requests=0),
    "questions": Expected(grows=0.7, overhead=700, answer=200),
    "distractors": Expected(answer=120),
    "dependence": Expected(requests=16, overhead=300, answer=15),
}


@dataclass(frozen=True, slots=True)
class StepEstimate:
    """Of one step."""

    name: str
    records: float
    requests: float
    prompt_tokens: float
    completion_tokens: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of the steps that ask models."""

    scenes: int
    basis: str
    steps: tuple[StepEstimate, ...]

    @property
    def cost(self) -> float | None:
        """None where the price of any step is not known."""
        costs = [step.cost for step in self.steps if step.requests]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if costs and len(known) == len(costs) else None


def estimate(
    pipeline: Pipeline,
    source: Path,
    folder: Path,
    limit: int | None,
    models: Mapping[str, str],
    prices: Prices,
) -> Estimate:
    """Nothing is asked, nothing is written. Raises InputError for a source that can't be read."""
    scenes, characters = 0, 0
    for record in records_of(source, pipeline.steps[0].reads, limit):
        scenes += 1
        lines = record.lines() if isinstance(record, Scene) else ()
        characters += sum(len(line.said.text) + 12 for line in lines)
    told = {one["step"]: one for one in all_of(folder)} if folder.is_dir() else {}
    if told.get(INTAKE, {}).get("out"):
        return Estimate(scenes, MEASURED, _measured(told, scenes, prices))
    if pipeline.steps[0].reads is not Scene:
        raise InputError(f"{source}: of videos only a first run tells: --limit 20, then --dry-run")
    text = characters / max(1, scenes) / CHARACTERS_A_TOKEN
    return Estimate(scenes, GUESSED, _guessed(pipeline, scenes, text, models, prices))


def _measured(
    told: Mapping[str, Mapping[str, Any]], scenes: int, prices: Prices
) -> tuple[StepEstimate, ...]:
    scale = scenes / told[INTAKE]["out"]
    return tuple(_scaled(name, one, scale, prices) for name, one in told.items() if one["spent"])


def _scaled(name: str, told: Mapping[str, Any], scale: float, prices: Prices) -> StepEstimate:
    spent = told["spent"]
    prompt, answer = (
        sum(used[which] or 0 for used in spent.values())
        for which in ("prompt_tokens", "completion_tokens")
    )
    costs = []
    for model, used in spent.items():
        price = prices.price(model)
        tokens = used["prompt_tokens"], used["completion_tokens"]
        costs.append(price.of(*tokens) if price else used["cost"])
    known = [cost * scale for cost in costs if cost is not None]
    return StepEstimate(
        name,
        told["in"] * scale,
        sum(used["requests"] for used in spent.values()) * scale,
        prompt * scale,
        answer * scale,
        sum(known) if len(known) == len(costs) else None,
    )


def _guessed(
    pipeline: Pipeline, scenes: int, text: float, models: Mapping[str, str], prices: Prices
) -> tuple[StepEstimate, ...]:
    found, records = [], float(scenes)
    for step in pipeline.steps:
        expected = EXPECTED.get(step.name, Expected(grows=0.95))
        if not isinstance(step, Gather) and step.roles:
            requests = records * expected.requests
            prompt = requests * (expected.overhead + (text if expected.scene else 0))
            answer = requests * expected.answer
            priced = [prices.price(models.get(role, "")) for role in step.roles]
            known = [price for price in priced if price is not None]
            cost = None
            if known and len(known) == len(priced):
                each = (price.of(round(prompt), round(answer)) or 0.0 for price in known)
                cost = sum(each) / len(known)
            found.append(StepEstimate(step.name, records, requests, prompt, answer, cost))
        if step.name in EXPECTED or (not isinstance(step, Gather) and step.roles):
            records *= expected.grows
    return tuple(found)
