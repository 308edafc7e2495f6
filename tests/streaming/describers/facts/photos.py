"""Photographs that scikit-image and its kin ship, as frames of a slow zoom or of a title card."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from strad.timeline import Ms
from strad_engines.weights import Weights
from streaming.describers.facts.models import missing_detectors
from streaming.media import VideoFrame

SIZE = (640, 360)
WEIGHTS = Weights(hub=False)
needs_detectors = pytest.mark.skipif(
    bool(missing_detectors(WEIGHTS)), reason=f"not here: {missing_detectors(WEIGHTS)}"
)


def photo(name: str) -> Image.Image:
    """A photograph of scikit-image, by its file's name. Skips where the package isn't here."""
    spec = find_spec("skimage")
    if spec is None or spec.origin is None:
        pytest.skip("scikit-image is not here: pip install 'strad[demo]'")
    return Image.open(Path(spec.origin).parent / "data" / name).convert("RGB")


def zoom(picture: Image.Image, frames: int, start: Ms = 0) -> list[VideoFrame]:
    """One frame a second, each a little nearer."""
    width, height = picture.size
    high = min(height, width * SIZE[1] / SIZE[0])
    made = []
    for step in range(frames):
        half_high = high * (1 - 0.04 * step) / 2
        half_wide = half_high * SIZE[0] / SIZE[1]
        middle_x, middle_y = width / 2, high / 2
        box = (middle_x - half_wide, middle_y - half_high)
        box += (middle_x + half_wide, middle_y + half_high)
        made.append(frame(picture.resize(SIZE, box=box), start + step * 1000))
    return made


def card(text: str, size: int = 48) -> Image.Image:
    """White words on dark blue."""
    picture = Image.new("RGB", SIZE, (20, 30, 70))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size)
    draw.text((SIZE[0] / 2, SIZE[1] / 2), text, "white", font, anchor="mm")
    return picture


def frame(picture: Image.Image, t: Ms, quality: int = 85) -> VideoFrame:
    """As ingest makes them: a JPEG with a difference hash."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    small = cv2.resize(np.asarray(picture.convert("L")), (9, 8), interpolation=cv2.INTER_AREA)
    bits = (small[:, 1:] > small[:, :-1]).ravel().tolist()
    number = sum(bit << at for at, bit in enumerate(bits))
    return VideoFrame(t, file.getvalue(), *picture.size, number)
