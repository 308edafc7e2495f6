"""Answers held to an expression or a JSON schema: which tokens can still lead to a match.

By llguidance (MIT), which vLLM can use too: it walks the expression as the answer grows, so that
nothing is built ahead for a vocabulary of a quarter million tokens. See docs/adr/0037.
"""

from __future__ import annotations

from functools import lru_cache

import torch
from llguidance import LLMatcher
from llguidance.hf import from_tokenizer
from transformers import PreTrainedTokenizerFast

from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Sampling

_TIGHT = {"whitespace_flexible": False}
"""A model that has lost its way fills an answer with white space, where JSON lets it."""
MOST_KEPT = 8
"""Expressions kept compiled."""


class Constraints:
    """Makes the constraint of one answer. Once a model; the vocabulary is read when it is made."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerFast, vocabulary: int, ends: list[int]
    ) -> None:
        """``vocabulary``: rows of the model's output; ``ends``: the tokens that end an answer."""
        self._tokens = from_tokenizer(tokenizer, n_vocab=vocabulary, eos_token=ends)
        self._compiled = lru_cache(MOST_KEPT)(self._compile)

    def of(self, sampling: Sampling) -> Constraint | None:
        """For one answer. Raises EngineRefusedError for what can't be kept to."""
        if sampling.schema is not None:
            return Constraint(self._compiled("schema", sampling.schema).deep_copy())
        if sampling.regex is not None:
            return Constraint(self._compiled("regular expression", sampling.regex).deep_copy())
        return None

    def _compile(self, kind: str, said: str) -> LLMatcher:
        grammar = (
            LLMatcher.grammar_from_json_schema(said, overrides=_TIGHT)
            if kind == "schema"
            else LLMatcher.grammar_from_regex(said)
        )
        matcher = LLMatcher(self._tokens, grammar, log_level=0)
        if matcher.is_error():
            why = " ".join(matcher.get_error().split())[:200]
            raise EngineRefusedError(f"the {kind} can't be kept to: {why}")
        return matcher


class Constraint:
    """Where one answer stands in its expression."""

    def __init__(self, matcher: LLMatcher) -> None:
        self._matcher = matcher

    def take(self, token: int) -> None:
        """The answer goes on with ``token``."""
        self._matcher.consume_token(token)

    def allowed(self, device: torch.device) -> torch.Tensor:
        """Which tokens may come next, a bool for each of the vocabulary. The end, after a match."""
        bias = self._matcher.compute_logit_bias()
        return torch.frombuffer(bytearray(bias), dtype=torch.uint8).to(device).bool()
