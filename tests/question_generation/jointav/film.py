"""Films that are written, not shot: scenes whose moments are seen and heard at known times."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from question_generation.scene import Scene
from strad.record import TimedText

WHO = ("old man", "tall woman", "young clerk", "thin boy", "grey nurse", "blind sailor")
WEARS = ("green coat", "red hat", "blue scarf", "torn apron", "black gown", "straw hat")
DOES = ("opens the cupboard", "lights a candle", "folds the letter", "pours some wine")
DOES += ("climbs the ladder", "winds the clock", "feeds the parrot", "sweeps the stairs")
TONES = ("angry", "sad", "fearful", "excited", "happy", "disgusted")
MUSIC = ("piano", "strings", "organ", "flute", "drums", "guitar", "harp", "cello")
MOODS = ("tense", "cheerful", "mournful", "dreamy", "solemn", "playful", "uneasy", "warm")
SOUNDS = ("thud", "ringing", "rattle", "hiss", "creak", "splash", "whistle", "crack")
HOW = ("dull", "sharp", "distant", "sudden", "soft", "metallic", "hollow", "shrill")
SAYS = ("We leave for", "They wrote from", "I was born in", "She never saw", "He came from")
PLACES = ("Lisbon", "Bergen", "Cairo", "Dover", "Prague", "Odessa", "Genoa", "Malta", "Riga")
WHEN = ("in spring", "at noon", "last year", "on Sunday", "by night", "after the war")
HORSE, RIVER = "A white horse stands at the gate.", "The river is rising."
HORSE_IN, RIVER_IN = {1, 3, 5}, {3, 4, 6}
"""The parts in which they are seen and heard: both in the third only."""
LENGTH, MOMENTS = 12.0, (1.0, 3.0, 5.0, 7.0)
"""Seconds of a scene, and where in it its moments are."""


def film(video: str, count: int = 7, seed: int = 0) -> list[Scene]:
    """``count`` scenes, one after another."""
    random = Random(f"{video} {seed}")
    seen = _drawn(random, WHO, WEARS, DOES)
    said = _drawn(random, SAYS, PLACES, WHEN)
    noise, music = _drawn(random, HOW, SOUNDS), _drawn(random, MUSIC, MOODS)
    found = []
    for place in range(count):
        start = place * LENGTH
        times = [start + at for at in MOMENTS]
        lines = [f"{' '.join(next(said))}." for _ in times]
        visuals = [_timed(t, "The {} in the {} {}.".format(*next(seen))) for t in times]
        dialogue = [_timed(t, line) for t, line in zip(times, lines, strict=True)]
        if place + 1 in HORSE_IN:
            visuals.append(_timed(start + 9, HORSE))
        if place + 1 in RIVER_IN:
            dialogue.append(_timed(start + 9, RIVER))
        tones = random.sample(TONES, len(times))
        found.append(
            Scene(
                id=f"{video}-{place}",
                video_id=video,
                segment=(start, start + LENGTH),
                visuals=tuple(visuals),
                dialogue=tuple(dialogue),
                sounds=tuple(_timed(t, f"a {' '.join(next(noise))}") for t in times),
                music=(_timed(times[0], "slow {}, {}".format(*next(music))),),
                vocal_traits=tuple(
                    _timed(t, f"'{line}' is said with a tone that is {tone}")
                    for t, line, tone in zip(times, lines, tones, strict=True)
                ),
            )
        )
    return found


def _drawn(random: Random, *words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every combination once, in a drawn order."""
    found = list(product(*words))
    random.shuffle(found)
    return iter(found)


def _timed(start: float, text: str) -> TimedText:
    return TimedText(start=start, end=start + 1.5, text=text)
