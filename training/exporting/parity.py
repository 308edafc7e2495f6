"""Whether what is exported answers as what was trained does, token by token."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from strad_engines.engine import ChatEngine
from strad_engines.known_answer import KnownAnswer
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions, Opened
from strad_engines.weights import Weights
from streaming.describers.strad_ft.asking import Asking
from streaming.describers.strad_ft.known_window import known_window
from streaming.prompt.profile import Profile
from training.example import Example
from training.rendering import rendered

WINDOWS = 20
DEADLINE_S = 600.0
"""For one answer: a large model on CPUs takes its time."""
_SEEDS = range(6)
"""Of the known windows among which the surest is taken."""
_GREEDY = Sampling(Asking().max_tokens, alternatives=2)


@dataclass(frozen=True, slots=True)
class Parity:
    """How many windows were compared, and which of them were answered otherwise."""

    windows: int
    differ: tuple[int, ...]

    @property
    def same(self) -> int:
        """How many were answered by the same tokens."""
        return self.windows - len(self.differ)


@dataclass(frozen=True, slots=True)
class Served:
    """A model as the engine ``transformers`` is to load it."""

    model: str
    adapter: Path | None = None
    merge: bool = True

    def settings(self) -> Mapping[str, object]:
        """For the engine."""
        weights = Weights()
        return {"adapter": self.adapter, "merge": self.merge, "weights": weights}


def chosen(examples: Sequence[Example], many: int = WINDOWS) -> list[Example]:
    """So many of them, evenly spaced; all where there are fewer."""
    if len(examples) <= many:
        return list(examples)
    return [examples[n * len(examples) // many] for n in range(many)]


def prompts(examples: Sequence[Example], profile: Profile) -> list[tuple[Message, ...]]:
    """What the model is asked about each."""
    return [rendered(example, profile).messages for example in examples]


async def answers(served: Served, asked: Sequence[Sequence[Message]]) -> list[tuple[str, ...]]:
    """The tokens of each answer, greedy. Raises the engine's errors."""
    async with _opened(served) as opened:
        return [_tokens(await _generate(opened.engine, chat)) for chat in asked]


async def surest(served: Served, profile: Profile) -> KnownAnswer | None:
    """What it says of the known window about which it is surest, held to describe it.

    Another machine rounds otherwise: where two tokens are all but equally likely, the answer would
    be another one though the model is the same. No picture of the films it learned from is in it.
    None where it ends no answer: it has not learned the line's form.
    """
    regex = profile.regex(describe=True)
    sampling = replace(_GREEDY, regex=regex)
    best: tuple[float, KnownAnswer] | None = None
    async with _opened(served) as opened:
        for seed in _SEEDS:
            messages = profile.render(replace(known_window(seed), audio=()))
            found = await opened.engine.generate(messages, sampling, deadline_s=DEADLINE_S)
            asked = replace(sampling, alternatives=None)
            if found.finish == "stop" and (best is None or _margin(found) > best[0]):
                best = (_margin(found), KnownAnswer(messages, asked, found.text))
    return best[1] if best is not None else None


def compared(one: Sequence[tuple[str, ...]], other: Sequence[tuple[str, ...]]) -> Parity:
    """By place."""
    pairs = zip(one, other, strict=True)
    return Parity(len(one), tuple(n for n, (a, b) in enumerate(pairs) if a != b))


def _opened(served: Served) -> Opened:
    options = EngineOptions(settings=served.settings())
    return open_engine("transformers", served.model, options=options)


async def _generate(engine: ChatEngine, chat: Sequence[Message]) -> Generated:
    return await engine.generate(chat, _GREEDY, deadline_s=DEADLINE_S)


def _tokens(found: Generated) -> tuple[str, ...]:
    return tuple(token.text for token in found.tokens)


def _margin(found: Generated) -> float:
    """How much likelier than the next the least sure of its tokens was."""
    gaps = [
        token.log_probability
        - max((chance for text, chance in token.alternatives if text != token.text), default=-9.0)
        for token in found.tokens
    ]
    return min(gaps, default=-math.inf)
