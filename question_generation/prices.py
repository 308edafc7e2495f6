"""What tokens cost, by model: a table the user gives; without one no cost is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from strad.errors import InputError

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens, in any one currency."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
        """Of one answer; None where its tokens are not known."""
        if prompt_tokens is None or completion_tokens is None:
            return None
        cost = self.prompt * prompt_tokens + self.completion * completion_tokens
        return round(cost / _MILLION, 9)


@dataclass(frozen=True, slots=True)
class Prices:
    """By the model's name; ``*`` is for those not named."""

    table: Mapping[str, Price] = field(default_factory=dict)

    def price(self, model: str) -> Price | None:
        """The model's, or that of all others; a name's first word is enough."""
        short = model.split(" ", 1)[0]
        return self.table.get(model) or self.table.get(short) or self.table.get("*")


def prices_of(said: Iterable[str]) -> Prices:
    """From ``MODEL=PROMPT,COMPLETION`` each, per million tokens. Raises InputError."""
    return Prices(dict(_priced(one) for one in said))


def _priced(said: str) -> tuple[str, Price]:
    model, _, numbers = said.rpartition("=")
    try:
        prompt, completion = (float(number) for number in numbers.split(","))
    except ValueError:
        prompt = completion = -1.0
    if not model or not 0 <= prompt < 1e9 or not 0 <= completion < 1e9:
        raise InputError(f"--price {said[:80]!r}: write MODEL=PROMPT,COMPLETION, each per million")
    return model, Price(prompt, completion)
