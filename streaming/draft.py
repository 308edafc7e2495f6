"""How far the utterance being transcribed has come. Pure."""

from __future__ import annotations

from strad.timeline import Interval, Ms
from streaming.hypothesis import Guess
from streaming.local_agreement import LocalAgreement
from streaming.pending_speech import Utterance


class Draft:
    """The passes made over one utterance."""

    def __init__(self, begin: Ms) -> None:
        self.begin = begin
        """Where the sound of the next pass begins."""
        self.known: tuple[Guess, ...] = ()
        """Final words in the sound after ``begin``: the next pass continues them."""
        self._passed: Ms | None = None
        """Where the latest pass ended."""
        self._agreement = LocalAgreement()

    def is_due(self, utterance: Utterance, first: Ms, step: Ms) -> bool:
        """Whether enough speech has come for the first, or another, pass over what still grows."""
        passed = self.begin if self._passed is None else self._passed
        new = sum(max(0, span.end - max(span.start, passed)) for span in utterance.spans)
        return new >= (first if self._passed is None else step)

    def agreed(self, guesses: tuple[Guess, ...], when: Interval, settled: Ms) -> int:
        """How many of the words of a pass over ``when`` are final.

        ``settled``: where in it the sound is old enough to be heard well.
        """
        self._passed = when.end
        return self._agreement.agree(guesses, settled)

    def cut(self, t: Ms) -> None:
        """The next pass begins at ``t``, after all the words that are final."""
        self.begin = t
        self.known = ()
