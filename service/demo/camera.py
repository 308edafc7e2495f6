"""Turns a screenplay into frames: cuts, camera moves over photographs, titles on top."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from service.demo import titles
from service.demo.labels import Box
from service.demo.screenplay import FRAME, Caption, Move, Screenplay, Shot
from strad.timeline import Interval, Ms

SIZE = (640, 360)
FADE: Ms = 240
"""How long a title takes to come in over a picture."""


def frames(play: Screenplay) -> Iterator[Image.Image]:
    """Every frame in order, RGB, ``SIZE``. Raises MissingModelError without the photographs."""
    for shot in play.shots:
        captions = [c for c in play.captions if c.when.overlaps(shot.when)]
        layers = [(c, titles.layer(c, SIZE)) for c in captions]
        background = _Background(shot, captions)
        for t in range(shot.when.start, shot.when.end, FRAME):
            frame = background.at(t)
            for caption, layer in layers:
                if caption.when.start <= t < caption.when.end:
                    _lay(frame, layer, caption, t)
            yield frame


class _Background:
    """What lies under the titles in one shot."""

    def __init__(self, shot: Shot, captions: list[Caption]) -> None:
        self._shot = shot
        self._card = titles.card(captions[0], SIZE) if not shot.moves else None
        self._photos = [move.photo.open() for move in shot.moves]

    def at(self, t: Ms) -> Image.Image:
        if self._card is not None:
            return self._card.copy()
        part = _eased(t, self._shot.when)
        parts = [
            _crop(photo, between(move, part), len(self._photos))
            for photo, move in zip(self._photos, self._shot.moves, strict=True)
        ]
        if len(parts) == 1:
            return parts[0]
        frame = Image.new("RGB", SIZE)
        for index, half in enumerate(parts):
            frame.paste(half, (index * SIZE[0] // 2, 0))
        return frame


def between(move: Move, part: float) -> Box:
    """What the camera shows when it has gone ``part`` of its way, 0 to 1."""
    pairs = zip(move.first, move.last, strict=True)
    return Box(*(first + (last - first) * part for first, last in pairs))


def _eased(t: Ms, when: Interval) -> float:
    """Slow at both ends."""
    x = (t - when.start) / max(when.duration - FRAME, 1)
    return x * x * (3 - 2 * x)


def _crop(photo: Image.Image, box: Box, parts: int) -> Image.Image:
    size = (SIZE[0] // parts, SIZE[1])
    return photo.resize(size, Image.Resampling.BILINEAR, box=box)


def _lay(frame: Image.Image, layer: Image.Image, caption: Caption, t: Ms) -> None:
    strength = 1.0 if caption.place == "card" else min(1.0, (t - caption.when.start + FRAME) / FADE)
    alpha = layer.getchannel("A")
    if strength < 1:
        alpha = alpha.point([round(value * strength) for value in range(256)])
    frame.paste(layer, (0, 0), alpha)
