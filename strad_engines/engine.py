"""The engine a model runs in: messages in, text with token log-probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from strad_engines.messages import Generated, Message, Sampling


class ChatEngine(Protocol):
    """A chat model somewhere. It knows nothing of windows, descriptions or questions.

    Any number of calls may run at once; how many is the caller's to bound.
    """

    @property
    def name(self) -> str:
        """The model, and everything else that changes its answers and is known."""
        ...

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """The model's answer, within ``deadline_s`` seconds, all tries together.

        Raises the errors of ``strad_engines.engine_errors``. Cancelling it ends the request.
        """
        ...
