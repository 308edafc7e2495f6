"""Films that are written, not shot: scenes whose moments are seen and heard at known times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    seen = _drawn(Random(f"seen {video} {seed}"), WHO, WEARS, DOES)
    shown = [
        [(place * LENGTH + at, "The {} in the {} {}.".format(*next(seen))) for at in MOMENTS]
        for place in range(count)
    ]
    return dubbed(video, shown, seed)


def dubbed(video: str, shown: Sequence[Sequence[tuple[float, str]]], seed: int = 0) -> list[Scene]:
    """Scenes in which this is seen, at these seconds; what is heard is drawn by the seed."""
    random = Random(f"heard {video} {seed}")
    said = _drawn(random, SAYS, PLACES, WHEN)
    noise, music = _drawn(random, HOW, SOUNDS), _drawn(random, MUSIC, MOODS)
    found = []
    for place, moments in enumerate(shown):
        times = [t for t, _ in moments]
        end = times[-1] + LENGTH - MOMENTS[-1]
        lines = [f"{' '.join(next(said))}." for _ in times]
        visuals = [_timed(t, text) for t, text in moments]
        dialogue = [_timed(t, line) for t, line in zip(times, lines, strict=True)]
        if place + 1 in HORSE_IN:
            visuals.append(_timed(end - 2, HORSE))
        if place + 1 in RIVER_IN:
            dialogue.append(_timed(end - 2, RIVER))
        tones = [random.choice(TONES) for _ in times]
        found.append(
            Scene(
                id=f"{video}-{place}",
                video_id=video,
                segment=(times[0] - 1, end),
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
