"""What looking for songs and sounds costs: CPU seconds a minute of sound."""

from __future__ import annotations

import sys
import time

import numpy as np

from strad.speech import Protect
from strad.timeline import covered, merge, to_seconds
from streaming.hearing import SpeechKnown
from streaming.media import SAMPLES_PER_MS
from streaming.sounds import SoundWatch
from tests.streaming.made_sounds import alarm, gunshot, music, room, wind

MOST = 1.0
"""CPU seconds a minute; it shares the thread of voice activity with all streams."""

CUT = 128


def main() -> int:
    """Print a line a policy; 1 where one costs too much."""
    bang, ring = room(60_000), room(60_000, seed=9)
    bang[: len(gunshot())] += gunshot()
    ring[: len(alarm(20_000))] += alarm(20_000)
    sound = np.concatenate([music(60_000), wind(60_000), bang, ring])
    minutes = len(sound) / SAMPLES_PER_MS / 60_000
    missed = 0
    for policy in (Protect.SONGS, Protect.SOUNDS):
        watch, spans = SoundWatch(policy, 0), []
        begun = time.process_time()
        for at in range(0, len(sound), CUT * SAMPLES_PER_MS):
            end = at // SAMPLES_PER_MS + CUT
            known = watch.hear(sound[at : at + CUT * SAMPLES_PER_MS], [SpeechKnown(end)])
            spans += known.spans
        spent = (time.process_time() - begun) / minutes
        missed += spent > MOST
        found = to_seconds(covered(merge(spans)))
        print(f"{policy}: {spent:.2f} CPU s a minute (at most {MOST:g}), {found:.0f} s found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
