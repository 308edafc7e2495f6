"""Where speech begins and ends, decided from a speech probability per frame. Pure.

Silero's hysteresis, tuned for gaps: a pause of a quarter of a second ends a span, because the
pauses between sentences are what audio description lives in. What is decided never changes:

- quiet: decided up to the frames that may yet turn out to be the start of speech;
- speech: decided up to now, handed out as spans that touch;
- a pause inside speech: decided up to its start, until it is long enough or over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from strad.timeline import Interval, Ms
from streaming.hearing import SpeechKnown

FRAME: Ms = 32
"""One probability covers 512 samples at 16 kHz."""


@dataclass(frozen=True, slots=True)
class VadTuning:
    """Thresholds are probabilities; lengths are rounded to whole frames by what reads them."""

    start: float = 0.5
    """Speech starts at this probability."""
    end: float = 0.35
    """A pause starts below this one."""
    min_silence: Ms = 256
    """A shorter pause does not end a span."""
    min_speech: Ms = 96
    """A shorter burst is no speech."""
    pad_start: Ms = 32
    """Silero hears an onset late: spans start this much earlier."""
    pad_end: Ms = 0
    """How much later spans end."""


class SpeechEdges:
    """The hysteresis of one stream. Feed it probabilities in order."""

    def __init__(self, start: Ms, tuning: VadTuning | None = None) -> None:
        self._tuning = tuning or VadTuning()
        self._now = start
        """End of the last frame fed."""
        self._until = start
        """Everything before is decided."""
        self._speaking = False
        self._rising: Ms | None = None
        """Start of a burst that is not yet long enough to be speech."""
        self._pausing: Ms | None = None
        """Start of a pause that is not yet long enough to end speech."""

    def feed(self, probabilities: Iterable[float]) -> SpeechKnown:
        """What the next frames decide. ``until`` may be the same as before."""
        found: list[Interval] = []
        for probability in probabilities:
            piece = self._frame(probability)
            if piece is not None:
                found.append(piece)
        return SpeechKnown(self._until, _joined(found))

    def finish(self, end: Ms) -> SpeechKnown:
        """The sound ends at ``end``: decide the rest. A pause still pending was a pause."""
        speech_end = min(end, self._pause_end() if self._pausing is not None else self._now)
        piece = self._advance(speech_end, speech=True) if self._speaking else None
        self._speaking, self._rising, self._pausing = False, None, None
        self._advance(end, speech=False)
        return SpeechKnown(self._until, (piece,) if piece else ())

    def _frame(self, probability: float) -> Interval | None:
        began, self._now = self._now, self._now + FRAME
        if self._speaking:
            return self._while_speaking(began, probability)
        return self._while_quiet(began, probability)

    def _while_quiet(self, began: Ms, probability: float) -> Interval | None:
        tuning = self._tuning
        if probability < (tuning.start if self._rising is None else tuning.end):
            self._rising = None
            self._advance(self._now - tuning.pad_start, speech=False)
            return None
        if self._rising is None:
            self._rising = began
        if self._now - self._rising < tuning.min_speech:
            return None
        self._advance(self._rising - tuning.pad_start, speech=False)
        self._speaking, self._rising = True, None
        return self._advance(self._now, speech=True)

    def _while_speaking(self, began: Ms, probability: float) -> Interval | None:
        tuning = self._tuning
        if probability >= tuning.start:
            self._pausing = None
        elif probability < tuning.end and self._pausing is None:
            self._pausing = began
        if self._pausing is None:
            return self._advance(self._now, speech=True)
        piece = self._advance(self._pause_end(), speech=True)
        if self._now - self._pausing >= tuning.min_silence:
            self._speaking, self._pausing = False, None
            self._advance(self._now - tuning.pad_start, speech=False)
        return piece

    def _pause_end(self) -> Ms:
        pausing = self._now if self._pausing is None else self._pausing
        return min(self._now, pausing + self._tuning.pad_end)

    def _advance(self, to: Ms, *, speech: bool) -> Interval | None:
        """Decide up to ``to``; decided time never goes back."""
        start, self._until = self._until, max(self._until, to)
        return Interval(start, self._until) if speech and self._until > start else None


def _joined(pieces: list[Interval]) -> tuple[Interval, ...]:
    """The same pieces, with those that touch made one."""
    joined: list[Interval] = []
    for piece in pieces:
        if joined and joined[-1].end == piece.start:
            joined[-1] = Interval(joined[-1].start, piece.end)
        else:
            joined.append(piece)
    return tuple(joined)
