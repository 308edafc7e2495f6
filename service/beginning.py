"""A beginning: what a publication starts from, which is nothing, or what is kept of its stream."""

from __future__ import annotations

from dataclasses import dataclass

from service.plan import Plan
from service.resume_state import ResumeState
from service.resume_token import ResumeToken


@dataclass(frozen=True, slots=True)
class Beginning:
    """How the stream is described, who may go on with it, and all that was so far."""

    plan: Plan
    token: ResumeToken
    state: ResumeState

    @property
    def goes_on(self) -> bool:
        """Whether there was something before."""
        return self.state.seq > 0
