"""Sounds that description should not cover, found by rules on the spectrum. Pure.

No audio classifier can be had as a package, so these are rules, and honest about it:

- *music* is tones that stay where they are: peaks of the spectrum that keep their pitch for a
  quarter of a second, several at once, most of the time. Speech glides; noise has no peaks.
- a *song* is music in which voice activity is found: from 3.5 s before the voice to the last note.
- a *swell* is music much louder than what came before it.
- an *alarm* is loud tones that stay, even one alone; so loud music counts as long as it is loud.
- a *bang* is sound of all pitches that is suddenly much louder than what came before it.

What glides (a siren), what is quiet, and singing without instruments are not found; drums alone
are bangs. What any of it costs is known: see docs/recording.md for the false alarms measured.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from strad.speech import Protect
from strad.timeline import Interval, Ms, merge
from streaming.hearing import SoundsKnown, SpeechKnown
from streaming.media import SAMPLES_PER_MS

Floats = npt.NDArray[np.float32]

HOP: Ms = 32
SPAN: Ms = 64
"""Each look is at so much sound, every HOP."""
LOWEST, HIGHEST = 5, 256
"""Bins of 15.6 Hz in which tones are looked for: 80 Hz to 4 kHz."""
PEAK_DB = 10.0
"""A tone stands out so far from what is around it."""
STAYS = 8
"""Looks in a row at which a tone is where it was: a quarter of a second."""
TONES = 3
"""Tones at once that make a look musical."""
AROUND: Ms = 1_000
"""A look is music if most looks this near are musical."""
MUSICAL = 0.6
LEAST_MUSIC: Ms = 2_500
"""Shorter than this it is no music."""
JOIN: Ms = 2_500
"""Music that pauses for less goes on."""
SUNG = 0.12
"""The share of voice that makes music a song."""
AUDIBLE_DB = -45.0
"""Quieter sound (of full scale) is background."""
SWELL_DB = 8.0
BEFORE: Ms = 4_000
"""What a swell is compared with."""
BANG_DB = 18.0
LOUD_DB = -24.0
"""A bang or an alarm is no quieter."""
FLAT = 0.08
"""Spectral flatness: 1 is white noise, 0 a tone. Bangs have at least this much."""
AFTER_BANG: Ms = 700
RINGS = 0.2
"""The share of looks around it with a loud tone that makes an alarm of one."""
LOOKAHEAD: Ms = 3_500
"""Both music and a voice in it take time to tell."""
BACK: Ms = 500
"""What is found begins so long before it at most."""
LATENCY = LOOKAHEAD + BACK + SPAN
"""So long after a sound it is decided."""

_SAMPLES = SPAN * SAMPLES_PER_MS
_STEP = HOP * SAMPLES_PER_MS
_WINDOW = np.hanning(_SAMPLES).astype(np.float32)
_KEPT = (BEFORE + LOOKAHEAD + 2 * AROUND) // HOP


@dataclass(frozen=True, slots=True)
class _Look:
    t: Ms
    level: float
    """dB of full scale."""
    tones: int
    flatness: float


class SoundWatch:
    """Hears one stream; ``start`` is the media time of its first sample. Bounded memory."""

    def __init__(self, policy: Protect, start: Ms) -> None:
        self._policy = policy
        self._start = start
        self._rest = np.zeros(0, np.float32)
        self._heard = 0
        """Samples taken out of ``_rest`` so far."""
        self._ages = np.zeros(HIGHEST - LOWEST, np.int32)
        self._looks: list[_Look] = []
        self._speech: deque[Interval] = deque(maxlen=256)
        self._music: Interval | None = None
        """The music that goes on, or has lately ended."""
        self._song = False
        self._until = start

    def hear(
        self, samples: Floats, speech: list[SpeechKnown], *, last: bool = False
    ) -> SoundsKnown:
        """What the next sound decides; ``speech`` is what VAD has decided meanwhile."""
        for known in speech:
            self._speech.extend(known.speech)
        self._rest = np.concatenate([self._rest, samples])
        found: list[Interval] = []
        while len(self._rest) >= _SAMPLES:
            self._looks.append(self._look(self._rest[:_SAMPLES]))
            del self._looks[:-_KEPT]
            self._rest = self._rest[_STEP:]
            self._heard += _STEP
            found += self._decide(LOOKAHEAD // HOP)
        end = self._start + (self._heard + len(self._rest)) // SAMPLES_PER_MS
        if last:
            for left in range(min(LOOKAHEAD // HOP, len(self._looks)) - 1, -1, -1):
                found += self._decide(left)
            self._until = end
        else:
            self._until = max(self._until, end - LATENCY)
        return SoundsKnown(self._until, tuple(merge(found)))

    def _look(self, samples: Floats) -> _Look:
        power = np.abs(np.fft.rfft(samples * _WINDOW)) ** 2 + 1e-9
        level = 10 * float(np.log10(np.mean(samples**2) + 1e-10))
        band = power[LOWEST - 4 : HIGHEST + 4]
        decibels = 10 * np.log10(band)
        around = np.convolve(decibels, np.full(9, 1 / 9), "valid")
        middle = decibels[4:-4]
        peaks = (middle > around + PEAK_DB / 2) & (middle >= decibels[3:-5])
        peaks &= (middle >= decibels[5:-3]) & (middle > decibels.max() - 35)
        near = np.maximum(self._ages, np.maximum(_moved(self._ages, 1), _moved(self._ages, -1)))
        self._ages = np.where(peaks, near + 1, 0).astype(np.int32)
        tones = int(np.count_nonzero(self._ages >= STAYS)) if level > AUDIBLE_DB else 0
        flatness = float(np.exp(np.mean(np.log(power))) / np.mean(power))
        t = self._start + self._heard // SAMPLES_PER_MS
        return _Look(t, level, tones, flatness)

    def _decide(self, ahead: int) -> list[Interval]:
        """What is to be left alone at the look that has ``ahead`` looks after it."""
        at = len(self._looks) - 1 - ahead
        if at < 0:
            return []
        look = self._looks[at]
        found = self._song_at(at, look)
        if self._policy is Protect.SOUNDS:
            found += self._event_at(at, look)
        return found

    def _song_at(self, at: int, look: _Look) -> list[Interval]:
        here = Interval(look.t, look.t + SPAN)
        if not self._is_music(at):
            if self._music and look.t - self._music.end > JOIN:
                self._music, self._song = None, False
            return []
        if self._music is None:
            self._music = Interval(max(self._start, look.t - BACK), here.end)
        else:
            self._music = Interval(self._music.start, here.end)
        sung = self._song or self._is_sung(look.t)
        swells = self._policy is Protect.SOUNDS and self._swells(at)
        if self._ahead_is_music(at) and (sung or swells):
            self._song = self._song or sung
            back = Interval(max(self._music.start, look.t - BACK), here.end)
            return [back]
        return []

    def _is_music(self, at: int) -> bool:
        return _musical(self._near(at, AROUND)) >= MUSICAL

    def _ahead_is_music(self, at: int) -> bool:
        """Whether it is long enough, counting what comes."""
        if self._music is None:
            return False
        ahead = self._looks[at : at + LEAST_MUSIC // HOP]
        long = self._looks[at].t - self._music.start >= LEAST_MUSIC
        return long or (bool(ahead) and _musical(ahead) >= MUSICAL)

    def _is_sung(self, t: Ms) -> bool:
        within = Interval(max(0, t - LOOKAHEAD), t + LOOKAHEAD)
        voiced = merge(part for span in self._speech if (part := span.intersect(within)))
        return sum(span.duration for span in voiced) >= SUNG * within.duration

    def _swells(self, at: int) -> bool:
        before = sorted(each.level for each in self._looks[max(0, at - BEFORE // HOP) : at])
        near = [each.level for each in self._near(at, AROUND // 2)]
        loud = sum(near) / len(near)
        if not before or loud <= LOUD_DB:
            return False
        return loud - before[len(before) // 4] > SWELL_DB

    def _event_at(self, at: int, look: _Look) -> list[Interval]:
        if look.level < LOUD_DB:
            return []
        before = sorted(each.level for each in self._looks[max(0, at - 12) : max(0, at - 1)])
        jumped = look.level - (before[len(before) // 2] if before else -60.0) >= BANG_DB
        if jumped and look.flatness >= FLAT:
            return [Interval(max(self._start, look.t - 2 * HOP), look.t + AFTER_BANG)]
        steady = [each.tones > 0 and each.level > LOUD_DB for each in self._near(at, AROUND)]
        if look.tones and sum(steady) >= RINGS * len(steady):
            return [Interval(max(self._start, look.t - STAYS * HOP), look.t + SPAN)]
        return []

    def _near(self, at: int, reach: Ms) -> list[_Look]:
        looks = reach // HOP
        return self._looks[max(0, at - looks) : at + looks + 1]


def _musical(looks: list[_Look]) -> float:
    return sum(look.tones >= TONES for look in looks) / len(looks)


def _moved(ages: npt.NDArray[np.int32], by: int) -> npt.NDArray[np.int32]:
    moved = np.zeros_like(ages)
    if by > 0:
        moved[by:] = ages[:-by]
    else:
        moved[:by] = ages[-by:]
    return moved
