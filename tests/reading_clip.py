"""A three-minute clip of a real reading with gaps of known lengths, for the slow suites.

The voice is LibriVox's, from Debian's pocketsphinx-testdata (public domain, read from its WAV
files); without that package ``reading_clip`` says so, and the caller skips or passes spoken lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from random import Random

from service.demo.clip import DemoClip, film_clip
from service.demo.narrator import read_wav
from service.demo.photographs import PHOTOGRAPHS, SCENERY
from service.demo.phrases import NAMES, PLACES, TIMES
from service.demo.screenplay import FRAME, Caption, Move, Screenplay, Shot
from service.demo.sound import Placed, Take, take
from strad.timeline import Interval, Ms

LIBRIVOX = Path("/usr/share/pocketsphinx/test/data/librivox")
LIBRIVOX_CREDIT = "LibriVox, Sense and Sensibility: public domain"
GAPS: tuple[Ms, ...] = (2_600, 1_000, 4_000, 3_200, 600, 5_500, 2_300, 8_000, 1_600, 3_600)
DURATION: Ms = 180_000
_NOISE = 0.06
"""Below this share of the loudest, these recordings hold hiss and breath: -24 dB."""


def librivox() -> list[Take]:
    """The recorded sentences with their transcripts; none where the package is not installed."""
    if not (LIBRIVOX / "transcription").is_file():
        return []
    lines = (LIBRIVOX / "transcription").read_text("utf-8").splitlines()
    found = [re.fullmatch(r"<s> (.+) </s> \((.+)\)", line.strip()) for line in lines]
    pairs = [(match[1], LIBRIVOX / f"{match[2]}.wav") for match in found if match]
    return [take(text, read_wav(path), _NOISE) for text, path in pairs]


def reading_clip(
    folder: Path, takes: Sequence[Take], voice: str = LIBRIVOX_CREDIT, duration: Ms = DURATION
) -> DemoClip:
    """The clip: lines one after another, and something new to see in three of four longer gaps."""
    placed = list(_laid_out(takes, duration))
    changes = list(_changes(placed, duration))
    play = _play(changes, duration)
    return film_clip(folder / "reading.webm", 0, play, placed, voice)


def _laid_out(takes: Sequence[Take], duration: Ms) -> Iterator[Placed]:
    at = 3_000
    for one, gap in zip(cycle(takes), cycle(GAPS), strict=False):
        when = Interval(at, at + one.voiced.duration)
        if when.end > duration - 2_500:
            return
        yield Placed(one, when)
        at = when.end + gap


def _changes(placed: Sequence[Placed], duration: Ms) -> Iterator[Ms]:
    """Times, on the frame grid, at which the picture changes soon after a line has ended."""
    ends = [one.when.end for one in placed]
    starts = [*(one.when.start for one in placed[1:]), duration]
    longer = [end for end, start in zip(ends, starts, strict=True) if start - end > 2_000]
    for index, end in enumerate(longer):
        if index % 4 != 3:
            yield -(-(end + 240) // FRAME) * FRAME


def _play(changes: Sequence[Ms], duration: Ms) -> Screenplay:
    """A card and a picture in turn, each shown until the next change."""
    rng = Random(0)
    photos = cycle([photo for photo in PHOTOGRAPHS if photo.name not in SCENERY])
    texts = cycle([*NAMES, *TIMES, *PLACES])
    shots: list[Shot] = []
    captions: list[Caption] = []
    starts, ends = [0, *changes], [*changes, duration]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        when = Interval(start, end)
        if index % 2:
            photo = next(photos)
            first, last = rng.sample(photo.views, 2)
            shots.append(Shot(when, (Move(photo, first, last),)))
        else:
            shots.append(Shot(when, ()))
            captions.append(Caption(when, (next(texts),), "card", index))
    return Screenplay(duration, tuple(shots), tuple(captions))
