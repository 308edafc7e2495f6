"""Windows of a film, as the Session would make them."""

from __future__ import annotations

import io
from collections.abc import Sequence

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms, subtract
from streaming.decoding.jpeg import dhash
from streaming.media import VideoFrame
from streaming.window import KnownFact, Window
from tests.seeing.film import HEIGHT, WIDTH, Film

CONTEXT: Ms = 120_000


def frame(film: Film, t: Ms) -> VideoFrame:
    """The picture of the film at ``t``."""
    image, out = film.picture(t), io.BytesIO()
    image.save(out, "JPEG", quality=80)
    small = image.convert("L").resize((9, 8)).tobytes()
    return VideoFrame(t, out.getvalue(), WIDTH, HEIGHT, hash=dhash(small, 9))


def window(
    film: Film,
    end: Ms,
    *,
    described: Sequence[Cue] = (),
    stride: Ms = 2_000,
    length: Ms = 8_000,
    facts: Sequence[KnownFact] = (),
) -> Window:
    """What is known of the film at ``end``, all that is said heard at once."""
    when = Interval(max(0, end - length), end)
    heard = [cue for cue in film.said if cue.when.end <= end and cue.when.start > end - CONTEXT]
    free = subtract(when, [*(c.when for c in film.said), *(c.when for c in described)])
    return Window(
        when=when,
        frames=tuple(frame(film, t) for t in range(when.start // 1000 * 1000, end + 1, 1_000)),
        audio=(),
        words=tuple(word for cue in heard for word in words_of(cue)),
        words_final_to=end,
        history=tuple(described),
        gap=free[-1] if free else None,
        new_from=max(0, end - stride),
        facts=tuple(facts),
        speech=tuple(part for cue in film.said if (part := cue.when.intersect(when))),
    )


def words_of(cue: Cue) -> list[Word]:
    """The words of a line, each as long as the next."""
    texts = cue.text.split()
    each = cue.when.duration // len(texts)
    first = cue.when.start
    return [
        Word(Interval(first + n * each, first + (n + 1) * each), text)
        for n, text in enumerate(texts)
    ]
