"""How a window is put to the model: limits, the decision's threshold, the penalty on repeats."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from strad_engines.messages import Sampling
from streaming.prompt.profile import BUDGET, Profile


class Penalty(StrEnum):
    """When the presence penalty is on.

    It is taken off every token that the answer already holds, so it also pushes the end time away
    from the digits of the start time. Servers don't agree on what else it counts: vLLM the answer
    alone, llama.cpp the last tokens of the prompt too.
    """

    ALWAYS = "always"
    """As in the paper."""
    ON_REPEAT = "on-repeat"
    """Only in a second request, made where the first answer repeated itself or what was said: the
    end time of every other answer is the model's own."""
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Asking:
    """The settings of one describer. The defaults are the paper's (5.1) where it has any."""

    threshold: float = 0.0
    """Log-odds of describing against waiting from which on a window is described. At 0 the likelier
    word wins; above, fewer windows are described; below, more."""
    presence_penalty: float = 1.5
    penalty: Penalty = Penalty.ALWAYS
    max_tokens: int = 96
    alternatives: int | None = 20
    """Of the first token; None for a server that tells no log-probabilities: no odds then."""
    constrained: bool = True
    """Whether the engine is to hold the model to the line's form; where it turns out that it can't,
    it is asked without."""
    context_tokens: int = BUDGET
    """Of earlier speech and descriptions."""
    model_tokens: int | None = None
    """The most that prompt and answer may be together; None where nobody knows."""
    deadline_s: float = 30.0
    """For one window, all requests together."""

    def sampling(self, profile: Profile, *, describe: bool, penalised: bool) -> Sampling:
        """How an answer is drawn: greedy. With ``describe`` it may not wait."""
        return Sampling(
            max_tokens=self.max_tokens,
            presence_penalty=self.presence_penalty if penalised else 0.0,
            stop=("\n",),
            regex=profile.regex(describe=describe) if self.constrained else None,
            alternatives=self.alternatives,
        )

    def asks_so(self, sampling: Sampling) -> bool:
        """Whether answers drawn so are held to a form, and tell odds, as these settings want."""
        asked = (sampling.regex is not None, sampling.alternatives)
        return asked == (self.constrained, self.alternatives)
