"""How the stages are put to a model: its limits, the decision's threshold, how it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from streaming.prompt.profile import BUDGET


@dataclass(frozen=True, slots=True)
class ZeroAsking:
    """The settings of one describer."""

    one_call: bool = False
    """Whether one answer holds all three stages, in place of up to three requests."""
    one_form: bool = False
    """Whether only the longest form that the gap has room for is offered: where nothing is placed
    afterwards (``--placement off``), as in the paper."""
    video: bool = False
    """Whether pictures are sent as one video: where the server takes no images."""
    threshold: float = 0.0
    """Log-odds of AD against WAIT from which on a window is described; of three calls only."""
    alternatives: int | None = 20
    """Of the decision's token; None for a server that tells no log-probabilities: no odds then."""
    constrained: bool = True
    """Whether the engine is to hold answers to their form; where it turns out that it can't, it is
    asked without."""
    schemas: bool = True
    """Whether answers that are JSON are to be held to a schema, where not to their form."""
    context_tokens: int = BUDGET
    """Of what was heard and described."""
    deadline_s: float = 30.0
    """For one window, all requests together."""
