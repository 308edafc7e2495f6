"""What thousands of questions to a model have in common: made once, not for each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from question_generation.answer_key import AnswerKeys
from question_generation.ask import Ask, Wanted
from question_generation.shape import schema_of
from strad.record import Record
from strad_engines.messages import Message, Sampling


@dataclass(frozen=True, slots=True)
class Setting:
    """All but the question itself."""

    instructions: Message
    """With the schema of the answer, in words."""
    sampling: Sampling
    unshaped: Sampling
    """Without the schema, for a server that takes none."""
    keys: AnswerKeys
    """Of the questions in this setting."""


def setting_of(ask: Ask[Wanted], model: str, system: str, seed: int) -> Setting:
    """Under the instructions ``system``; ``seed`` is the run's and the attempt's."""
    return _setting(
        model, system, ask.wanted, ask.max_tokens, ask.temperature, ask.top_p, seed, ask.draw
    )


@lru_cache(maxsize=256)
def _setting(
    model: str,
    system: str,
    wanted: type[Record],
    max_tokens: int,
    temperature: float,
    top_p: float,
    seed: int,
    draw: int,
) -> Setting:
    schema = schema_of(wanted)
    shape = f"Answer with one JSON object, and nothing else, of this schema: {schema}"
    instructions = Message.of("system", f"{system}\n\n{shape}".strip())
    sampling = Sampling(
        max_tokens, temperature=temperature, top_p=top_p, seed=seed + draw, schema=schema
    )
    keys = AnswerKeys(model, instructions, sampling, draw)
    return Setting(instructions, sampling, replace(sampling, schema=None), keys)
