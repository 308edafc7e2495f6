"""Pictures come out small, upright, even, in their true colours, and with a steady hash."""

from __future__ import annotations

import io

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from strad.errors import MediaError
from streaming.decoding.jpeg import JpegEncoder, dhash, fitted, quantiser

pytestmark = pytest.mark.media


def picture(width: int, height: int, seed: int = 1) -> av.VideoFrame:
    """Smooth colours, the same at any size."""
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    rgb = np.stack([x, y, (np.sin(6 * x * seed) + 1) / 2], axis=-1)
    return av.VideoFrame.from_ndarray((rgb * 255).astype(np.uint8), "rgb24")


def test_a_picture_is_scaled_and_keeps_its_colours() -> None:
    made = JpegEncoder(640, 85, 1 << 24).encode(picture(1280, 720), 1.0)
    image = Image.open(io.BytesIO(made.jpeg))
    assert image.size == (made.width, made.height) == (640, 360)
    wanted = picture(640, 360).to_ndarray(format="rgb24").astype(int)
    assert np.abs(np.asarray(image.convert("RGB")).astype(int) - wanted).mean() < 4


def test_a_small_picture_is_not_enlarged() -> None:
    made = JpegEncoder(640, 85, 1 << 24).encode(picture(321, 181), 1.0)
    assert (made.width, made.height) == (320, 180)


def test_more_quality_is_more_bytes() -> None:
    sizes = [
        len(JpegEncoder(640, q, 1 << 24).encode(picture(640, 360), 1.0).jpeg) for q in (40, 85)
    ]
    assert sizes[0] < sizes[1]
    assert quantiser(40) > quantiser(85) >= quantiser(100) == 2


def test_the_same_encoder_follows_a_change_of_size() -> None:
    encoder = JpegEncoder(640, 85, 1 << 24)
    sizes = [encoder.encode(picture(*size), 1.0) for size in ((320, 240), (640, 360), (320, 240))]
    assert [(p.width, p.height) for p in sizes] == [(320, 240), (640, 360), (320, 240)]
    assert sizes[0].jpeg == sizes[2].jpeg


def test_a_bomb_is_refused() -> None:
    with pytest.raises(MediaError, match="too large"):
        JpegEncoder(640, 85, 100 * 100).encode(picture(128, 128), 1.0)


def test_hashes_are_near_for_the_same_picture_and_far_for_another() -> None:
    encoder = JpegEncoder(640, 85, 1 << 24)
    one, same, other = (
        encoder.encode(frame, 1.0).hash
        for frame in (picture(1280, 720), picture(640, 360), picture(640, 360, seed=4))
    )
    assert (one ^ same).bit_count() <= 4
    assert (one ^ other).bit_count() > 10


def test_dhash_sets_a_bit_where_brightness_falls() -> None:
    falling = bytes(range(90, 0, -10)) + b"\xff" * 7
    assert dhash(falling * 8, 16) == (1 << 64) - 1
    assert dhash(bytes(16 * 8), 16) == 0


@given(
    st.integers(1, 8192), st.integers(1, 8192), st.floats(0.25, 4.0), st.sampled_from([320, 640])
)
def test_fitted_sizes_are_even_and_narrow(w: int, h: int, aspect: float, limit: int) -> None:
    width, height = fitted(w, h, aspect, limit)
    assert width % 2 == height % 2 == 0
    assert 2 <= width <= limit
    assert height >= 2
