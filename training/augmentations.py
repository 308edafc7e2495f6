"""Augmentations by name (StrAD, 5.5): how an example is changed before it is learned from. Pure.

The paper tells what each does and which are left out (``segment`` and ``audio``), not how often and
how far: those figures are ours. ``words`` is ours too: live, the newest words are not known yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from strad.cues import Cue
from strad.errors import InputError
from strad.timeline import Interval, Ms
from streaming.decoding.spans import moments
from streaming.media import AudioChunk, VideoFrame
from training.example import Example, Kind
from training.retouching import cropped_and_graded, under_subtitles

LATEST_WORDS: Ms = 3_000
LOUDER = 6.0
"""Decibels, either way."""
NOISE = 0.005
"""Standard deviation of the loudest noise, of full scale."""
RATIOS = (4 / 3, 16 / 9, 1.85, 2.39)
SUBTITLES = ("...", "What was that?", "I don't know.", "Come with me.", "Not now!")
"""Shown where nobody speaks in the window."""
MOST_AGAIN: Ms = 4_000
"""A description that is repeated follows within this."""


@dataclass(frozen=True, slots=True)
class Augmentation:
    """One of them."""

    name: str
    change: Callable[[Example, Random], Example]
    share: float
    """Of the examples it can change, how many it does."""
    kinds: frozenset[Kind]
    default: bool = True


def _segment(example: Example, rng: Random) -> Example:
    """Less is shown around the moment, by the pictures there are that lie nearest."""
    assert example.moment
    window, moment = example.window, example.moment
    before = round(rng.random() * max(0, moment.start - window.when.start))
    after = round(rng.random() * max(0, window.when.end - moment.end))
    when = Interval(moment.start - before, moment.end + after)
    inside = [n for n, frame in enumerate(window.frames) if when.start <= frame.t <= when.end]
    if not inside:
        return example
    wanted = moments(when, len(window.frames))
    at = [min(inside, key=lambda n: abs(window.frames[n].t - t)) for t in wanted]
    frames = tuple(replace(window.frames[n], t=t) for n, t in zip(at, wanted, strict=True))
    plain = tuple(
        replace(example.plain[n], t=t) for n, t in zip(at, wanted, strict=True) if example.plain
    )
    audio = tuple(chunk for part in window.audio if (chunk := _part(part, when)))
    seen = replace(window, when=when, frames=frames, audio=audio, words_final_to=when.end)
    return replace(example, window=replace(seen, new_from=when.start), plain=plain)


def _part(chunk: AudioChunk, when: Interval) -> AudioChunk | None:
    common = chunk.when.intersect(when)
    if common is None:
        return None
    first, last = (32 * (t - chunk.t) for t in (common.start, common.end))
    return AudioChunk(common.start, chunk.pcm[first:last])


def _subtitle(example: Example, rng: Random) -> Example:
    """A bar with the newest words, as if the programme had subtitles burned in."""
    newest = [word.text for word in example.window.words[-8:]]
    text = " ".join(newest) or rng.choice(SUBTITLES)
    return _repainted(example, lambda frame: under_subtitles(frame, text))


def _face(example: Example, _: Random) -> Example:
    """No boxes and no names, as in a stream."""
    window = replace(example.window, frames=example.plain or example.window.frames)
    return replace(example, window=window, names=(), plain=())


def _context(example: Example, rng: Random) -> Example:
    """Each earlier description is left out, or told again, one time in ten each."""
    told: list[Cue] = []
    for cue in example.window.history:
        drawn = rng.random()
        if drawn < 0.1:
            continue
        told.append(cue)
        later = cue.when.shift(cue.when.duration + rng.randrange(MOST_AGAIN))
        if drawn >= 0.9 and later.end <= example.window.when.end:
            told.append(replace(cue, when=later))
    told.sort(key=lambda cue: cue.when)
    return replace(example, window=replace(example.window, history=tuple(told)))


def _words(example: Example, rng: Random) -> Example:
    """The last 0 to 3 s of words are not known yet; that somebody speaks is."""
    window = example.window
    final = max(window.when.start, window.words_final_to - rng.randrange(LATEST_WORDS + 1))
    words = tuple(word for word in window.words if word.when.start < final)
    return replace(example, window=replace(window, words=words, words_final_to=final))


def _audio(example: Example, rng: Random) -> Example:
    """Louder or softer, with some noise."""
    gain = 10 ** (rng.uniform(-LOUDER, LOUDER) / 20)
    noise = np.random.default_rng(rng.getrandbits(32))
    level = rng.uniform(0, NOISE) * 32_767

    def changed(chunk: AudioChunk) -> AudioChunk:
        samples = np.frombuffer(chunk.pcm, "<i2") * gain
        samples += noise.normal(0, level, samples.shape)
        return replace(chunk, pcm=samples.round().clip(-32_768, 32_767).astype("<i2").tobytes())

    audio = tuple(changed(chunk) for chunk in example.window.audio)
    return replace(example, window=replace(example.window, audio=audio))


def _frame(example: Example, rng: Random) -> Example:
    """The same crop to another shape of screen, light and colour for all its pictures."""
    ratio = rng.choice(RATIOS)
    light, contrast, colour = (rng.uniform(0.8, 1.2) for _ in range(3))
    return _repainted(
        example, lambda frame: cropped_and_graded(frame, ratio, light, contrast, colour)
    )


def _repainted(example: Example, paint: Callable[[VideoFrame], VideoFrame]) -> Example:
    frames = tuple(paint(frame) for frame in example.window.frames)
    plain = tuple(paint(frame) for frame in example.plain)
    return replace(example, window=replace(example.window, frames=frames), plain=plain)


_ALL, _STREAM, _SEGMENT = (
    frozenset(Kind),
    frozenset({Kind.AD, Kind.WAIT}),
    frozenset({Kind.SEGMENT}),
)
AUGMENTATIONS = {
    one.name: one
    for one in (
        Augmentation("segment", _segment, 1.0, _SEGMENT, default=False),
        Augmentation("words", _words, 1.0, _STREAM),
        Augmentation("context", _context, 0.5, _STREAM),
        Augmentation("face", _face, 0.5, _SEGMENT),
        Augmentation("frame", _frame, 0.5, _ALL),
        Augmentation("subtitle", _subtitle, 0.25, _ALL),
        Augmentation("audio", _audio, 0.5, _ALL, default=False),
    )
}
"""In the order in which they are applied."""

DEFAULTS = tuple(one.name for one in AUGMENTATIONS.values() if one.default)
"""What the paper trains with."""


def check_names(names: Iterable[str]) -> None:
    """Raises InputError for a name of none."""
    for name in names:
        if name not in AUGMENTATIONS:
            raise InputError(f"no augmentation {name!r}: there are {', '.join(AUGMENTATIONS)}")


def apply(example: Example, names: Iterable[str], rng: np.random.Generator) -> Example:
    """The example changed by those of ``names`` that are drawn for it; the answer stays.

    The same ``rng`` draws the same. Raises InputError for a name of none.
    """
    wanted = frozenset(names)
    check_names(wanted)
    for one in AUGMENTATIONS.values():
        drawn, own = rng.random(), Random(int(rng.integers(1 << 62)))
        if one.name in wanted and example.kind in one.kinds and drawn < one.share:
            example = one.change(example, own)
    return example
