"""Scripted detections: what tests of ``facts`` show its pure parts."""

from __future__ import annotations

from collections.abc import Sequence

from strad.cues import Cue
from strad.decision import Kind
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.describers.facts.box import Box
from streaming.describers.facts.claim import Claim
from streaming.describers.facts.look import Detection, Line, Look
from streaming.media import VideoFrame
from streaming.window import Window

LARGE = Box(0.2, 0.1, 0.7, 0.9)
SSD, EFFICIENTDET, FACES = "ssd", "efficientdet", "blazeface"
FACE_NETS = (FACES, "face-mesh")


def seen(
    label: str, score: float = 0.9, *, box: Box = LARGE, by: Sequence[str] = (SSD,)
) -> Detection:
    """One detection."""
    return Detection(label, score, box, frozenset(by))


def agreed(label: str, score: float = 0.95, *, box: Box = LARGE) -> Detection:
    """One that both detectors of things made."""
    return seen(label, score, box=box, by=(SSD, EFFICIENTDET))


def column(place: int, of: int) -> Box:
    """The ``place``-th of ``of`` boxes side by side."""
    return Box(place / of + 0.01, 0.2, (place + 1) / of - 0.01, 0.9)


def line(text: str, score: float = 0.98, top: float = 0.4) -> Line:
    """A line of text across the middle."""
    return Line(text, score, Box(0.2, top, 0.8, top + 0.08))


def looks(
    *shown: Sequence[Detection | Line], start: Ms = 0, cuts: Sequence[int] = ()
) -> list[Look]:
    """One look a second; ``cuts`` are the places of those that begin a shot."""
    return [
        Look(
            start + at * 1000,
            tuple(one for one in what if isinstance(one, Detection)),
            tuple(one for one in what if isinstance(one, Line)),
            at in cuts,
        )
        for at, what in enumerate(shown)
    ]


def window(
    end: Ms, *, history: Sequence[Cue] = (), words: Sequence[Word] = (), language: str = "en"
) -> Window:
    """Eight seconds up to ``end``, two of them new."""
    return Window(
        when=Interval(max(0, end - 8000), end),
        frames=(),
        audio=(),
        words=tuple(words),
        words_final_to=end,
        history=tuple(history),
        gap=None,
        new_from=max(0, end - 2000),
        language=language,
    )


def frame(t: Ms) -> VideoFrame:
    """A frame whose picture doesn't matter."""
    return VideoFrame(t, b"", 640, 360, 0)


def claim(subject: str, *, count: int = 1, exact: bool = True, at: Ms = 0) -> Claim:
    """A claim about a thing, seen for three seconds from ``at``."""
    return Claim(
        Kind.SCENE, subject, (at, at + 1000, at + 2000), 0.9, frozenset({SSD}), count, exact
    )


def text_claim(text: str, at: Ms = 0) -> Claim:
    """A claim about a line of text."""
    return Claim(Kind.TEXT, text, (at, at + 1000), 0.98, frozenset({"ocr"}))
