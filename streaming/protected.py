"""Protected sounds as they become known: spans that no description covers, by a policy. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.speech import Protect as Protect  # kept importable from here
from strad.timeline import Interval, Ms, merge


@dataclass(frozen=True, slots=True)
class ProtectedSoFar:
    """What a timeline of protected sounds holds, to be gone on from."""

    spans: tuple[Interval, ...] = ()
    until: Ms = 0


class ProtectedTimeline:
    """Follows what is found in the sound; never knows more than it was told."""

    def __init__(self, policy: Protect, so_far: ProtectedSoFar | None = None) -> None:
        known = so_far or ProtectedSoFar()
        self._active = policy is not Protect.SPEECH
        self._spans = list(known.spans)
        self._until = known.until

    @property
    def so_far(self) -> ProtectedSoFar:
        """What is known."""
        return ProtectedSoFar(tuple(self._spans), self._until)

    def known_to(self, speech: Ms) -> Ms:
        """Up to here it is decided where nothing may be said, speech being decided to ``speech``.

        Without a policy, speech is all that is waited for.
        """
        return min(speech, self._until) if self._active else speech

    def hear(self, until: Ms, spans: tuple[Interval, ...] = ()) -> None:
        """The sound before ``until`` is decided; ``spans`` were newly found in it."""
        self._until = max(self._until, until)
        if self._active and spans:
            self._spans = merge([*self._spans, *spans])

    def spans(self, within: Interval) -> list[Interval]:
        """Known spans inside ``within``, clipped to it."""
        return [part for span in self._spans if (part := span.intersect(within))]

    def forget(self, before: Ms) -> None:
        """Let go of what ended before this time."""
        if self._spans and self._spans[0].end < before:
            self._spans = [span for span in self._spans if span.end >= before]
