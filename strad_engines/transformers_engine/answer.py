"""One answer, token by token: what transformers' ``generate`` is told, and what is read off it.

Log-probabilities are of the model's own logits before penalties; under a constraint, of the tokens
that it allows. vLLM does both so too. The presence penalty is OpenAI's and vLLM's: once off each
token that the answer already holds. Where a deadline passes or the caller is gone, it stops after
the token in work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from transformers import (
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    StoppingCriteria,
    StoppingCriteriaList,
)

from strad_engines.messages import Generated, Sampling, Token
from strad_engines.transformers_engine.constraint import Constraint

Clock = Callable[[], float]
"""Wall seconds since whenever."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be answered, ready for the model."""

    inputs: dict[str, Any]
    sampling: Sampling
    constraint: Constraint | None
    stopped: Callable[[], bool]
    clock: Clock


def answer(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, ends: list[int], asked: Asked
) -> Generated:
    """Ask the model; what there is when it was stopped has ``finish`` "abort"."""
    prompt = asked.inputs["input_ids"].shape[1]
    watch = _Watch(prompt, asked.sampling.alternatives, asked.clock)
    stop = _Stop(tokenizer, prompt, asked)
    if asked.sampling.seed is not None and asked.sampling.temperature > 0:
        torch.manual_seed(asked.sampling.seed)
    begun = asked.clock()
    with torch.inference_mode():
        drawn = model.generate(
            **asked.inputs,
            generation_config=_config(asked.sampling, ends),
            logits_processor=LogitsProcessorList(_processors(watch, prompt, asked)),
            stopping_criteria=StoppingCriteriaList([stop]),
        )
    ids = drawn[0, prompt:].tolist()
    watch.finish(ids)
    finish = stop.reason or ("stop" if ids and ids[-1] in ends else "length")
    text = tokenizer.decode(ids, skip_special_tokens=True)
    return Generated(
        _cut(text, asked.sampling.stop),
        tuple(_token(tokenizer, place) for place in watch.places),
        finish,
        prompt,
        len(ids),
        (("prefill", watch.first - begun), ("decode", asked.clock() - watch.first)),
    )


def _config(sampling: Sampling, ends: list[int]) -> GenerationConfig:
    drawn = {"temperature": sampling.temperature, "top_p": sampling.top_p, "top_k": 0}
    return GenerationConfig(
        do_sample=sampling.temperature > 0,
        **(drawn if sampling.temperature > 0 else {}),
        max_new_tokens=sampling.max_tokens,
        eos_token_id=ends,
        pad_token_id=ends[0],
        use_cache=True,
    )


def _processors(watch: _Watch, prompt: int, asked: Asked) -> list[LogitsProcessor]:
    chain: list[LogitsProcessor] = []
    if asked.constraint is not None:
        chain.append(_Held(prompt, asked.constraint))
    chain.append(watch)
    if asked.sampling.presence_penalty:
        chain.append(_Presence(prompt, asked.sampling.presence_penalty))
    return chain


@dataclass(slots=True)
class _Place:
    """One drawn token and the likeliest ones there."""

    drawn: int
    chance: float
    likeliest: list[tuple[int, float]] = field(default_factory=list)


class _Watch(LogitsProcessor):  # type: ignore[misc]
    """Sees the logits, and when the first came."""

    def __init__(self, prompt: int, alternatives: int | None, clock: Clock) -> None:
        self._prompt, self._alternatives, self._clock = prompt, alternatives, clock
        self._last: torch.Tensor | None = None
        self.first = 0.0
        self.places: list[_Place] = []

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if input_ids.shape[1] == self._prompt:
            self.first = self._clock()
        if self._alternatives is not None:
            self._settle(int(input_ids[0, -1]))
            self._last = scores[0].float().log_softmax(-1)
        return scores

    def finish(self, ids: list[int]) -> None:
        """The answer is over: the last token is known."""
        if ids:
            self._settle(ids[-1])

    def _settle(self, drawn: int) -> None:
        if self._last is None:
            return
        values, tokens = self._last.topk(self._alternatives or 0)
        likeliest = list(zip(tokens.tolist(), values.tolist(), strict=True))
        self.places.append(_Place(drawn, float(self._last[drawn]), likeliest))
        self._last = None


class _Presence(LogitsProcessor):  # type: ignore[misc]
    def __init__(self, prompt: int, penalty: float) -> None:
        self._prompt, self._penalty = prompt, penalty

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        scores = scores.float().clone()
        scores[0, input_ids[0, self._prompt :].unique()] -= self._penalty
        return scores


class _Held(LogitsProcessor):  # type: ignore[misc]
    def __init__(self, prompt: int, constraint: Constraint) -> None:
        self._prompt, self._constraint = prompt, constraint

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if input_ids.shape[1] > self._prompt:
            self._constraint.take(int(input_ids[0, -1]))
        allowed = self._constraint.allowed(scores.device)[: scores.shape[-1]]
        return scores.masked_fill(~allowed, -torch.inf)


class _Stop(StoppingCriteria):  # type: ignore[misc]
    """Ends the answer at a stop string, or when it is not wanted any more."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, prompt: int, asked: Asked) -> None:
        self._tokenizer, self._prompt, self._asked = tokenizer, prompt, asked
        self.reason = ""

    def __call__(self, input_ids: torch.Tensor, scores: object, **_: object) -> torch.Tensor:
        if self._asked.stopped():
            self.reason = "abort"
        elif self._asked.sampling.stop:
            said = self._tokenizer.decode(input_ids[0, self._prompt :], skip_special_tokens=True)
            if any(stop in said for stop in self._asked.sampling.stop):
                self.reason = "stop"
        return torch.full((1,), bool(self.reason), device=input_ids.device)


def _cut(text: str, stops: tuple[str, ...]) -> str:
    found = [text.index(stop) for stop in stops if stop in text]
    return text[: min(found)] if found else text


def _token(tokenizer: PreTrainedTokenizerBase, place: _Place) -> Token:
    return Token(
        tokenizer.decode([place.drawn]),
        place.chance,
        tuple((tokenizer.decode([token]), chance) for token, chance in place.likeliest),
    )
