"""How many tokens of context a prompt may hold, learnt from how long prompts turn out to be."""

from __future__ import annotations

from streaming.describers.strad_ft.asking import Asking

LEAST_RATIO = 0.6
"""A context may really be so much shorter than estimated; what is then beside it is longer."""


class TokenRoom:
    """Pictures and instructions take what they take; the context gets what is left of the limit.

    What they take is known once any prompt was counted, by the engine's tokenizer or by the server
    that answered; until then the whole budget is given. All contexts are in tokens as the profile
    estimates them.
    """

    def __init__(self, asking: Asking) -> None:
        self._most = asking.context_tokens
        self._limit = asking.model_tokens
        self._answer = asking.max_tokens
        self._pictures = -1
        self._beside = 0.0
        self._ratio = 1.0
        self._least_ratio = LEAST_RATIO

    @property
    def context(self) -> int:
        """Tokens for speech and descriptions."""
        if self._limit is None:
            return self._most
        left = (self._limit - self._answer - self._beside) / self._ratio
        return max(0, min(self._most, int(left)))

    def must_count(self, pictures: int) -> bool:
        """Whether a prompt of so many pictures may be longer than any that was counted."""
        return self._limit is not None and pictures > self._pictures

    def counted(self, pictures: int, *, bare: int, full: int, context: int) -> None:
        """A prompt came to ``bare`` tokens without a context and ``full`` with one."""
        self._pictures = pictures
        self._beside = max(self._beside, bare)
        if context:
            self._ratio = self._least_ratio = max(0.1, (full - bare) / context)

    def refused(self, context: int, limit: int | None) -> bool:
        """A prompt with such a context was too long for the model, which may have said its limit.

        Whether a shorter one is worth a try: not where there was no context.
        """
        if limit is not None:
            self._limit = limit if self._limit is None else min(self._limit, limit)
        self._most = min(self._most, max(0, context * 2 // 3 - 1))
        return context > 0

    def answered(self, prompt: int | None, context: int) -> None:
        """The server says how long a prompt was that held such a context."""
        if prompt is not None:
            self._beside = max(self._beside, prompt - self._least_ratio * context)
