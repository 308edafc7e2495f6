"""Windows made from a seed, the same everywhere and always: what models are checked by. Pure."""

from __future__ import annotations

import hashlib
import struct

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.describers.strad_ft.known_picture import Colour, picture
from streaming.media import SAMPLES_PER_MS, AudioChunk, VideoFrame
from streaming.window import KnownFact, Window

WIDTH, HEIGHT = 40, 23
"""Blocks of 8 pixels: 320x184."""
SQUARE = 6
END: Ms = 60_000
LENGTH: Ms = 8_000
LOUD = 3_000
_SAID = "Where have you been? We waited for you all night. I know. I am sorry.".split()  # noqa: SIM905


def known_window(seed: int) -> Window:
    """A square of one colour that moves over another for 8 s, some talk before it, and a buzz."""
    draw = hashlib.sha256(b"known %d" % seed).digest()
    ground: Colour = (40 + draw[0] // 2, draw[1], draw[2])
    square: Colour = (220 - draw[3] // 2, draw[4], draw[5])
    at, step = (4 + draw[6] % 16, 2 + draw[7] % 12), (1 + draw[8] % 3, draw[9] % 2)
    return Window(
        when=Interval(END - LENGTH, END),
        frames=tuple(
            _frame(n, ground, square, (at[0] + n * step[0], at[1] + n * step[1])) for n in range(8)
        ),
        audio=(AudioChunk(END - LENGTH, _buzz(40 + draw[10])),),
        words=_words(10_000 + 100 * draw[11]),
        words_final_to=END,
        history=(Cue(Interval(4_000, 6_000), "A man waits at a door."),),
        gap=Interval(END - 6_000, END),
        new_from=END - 2_000,
        facts=(KnownFact("Anna", "name", 20_000),),
    )


def _buzz(half: int) -> bytes:
    """A square wave for all the window; ``half`` a period is so many samples."""
    wave = struct.pack(f"<{2 * half}h", *half * [LOUD], *half * [-LOUD])
    length = 2 * LENGTH * SAMPLES_PER_MS
    return (wave * (length // len(wave) + 1))[:length]


def _frame(n: int, ground: Colour, square: Colour, at: tuple[int, int]) -> VideoFrame:
    left, top = at[0] % (WIDTH - SQUARE), at[1] % (HEIGHT - SQUARE)
    inside = (range(left, left + SQUARE), range(top, top + SQUARE))
    blocks = [
        [square if x in inside[0] and y in inside[1] else ground for x in range(WIDTH)]
        for y in range(HEIGHT)
    ]
    t = END - LENGTH + 1_000 * (n + 1)
    return VideoFrame(t, picture(blocks), 8 * WIDTH, 8 * HEIGHT, hash=n)


def _words(at: Ms) -> tuple[Word, ...]:
    return tuple(
        Word(Interval(at + 400 * n, at + 400 * n + 300), text) for n, text in enumerate(_SAID)
    )
