"""A JPEG's size is read from its markers, whatever lies between them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from strad.errors import MediaError
from streaming.decoding.jpeg_head import jpeg_size

pytestmark = pytest.mark.unit


def jpeg(width: int, height: int, **options: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 40)).save(out, "JPEG", **options)
    return out.getvalue()


@pytest.mark.parametrize("progressive", [False, True])
def test_real_ones(progressive: bool) -> None:
    assert jpeg_size(jpeg(321, 123, progressive=progressive, comment=b"\xff\xc0hello")) == (
        321,
        123,
    )


@given(st.binary(max_size=200))
def test_any_bytes_have_a_size_or_none(rest: bytes) -> None:
    try:
        width, height = jpeg_size(b"\xff\xd8" + rest)
    except MediaError:
        return
    assert 0 < width < 65_536
    assert 0 < height < 65_536


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xda\x00\x02", jpeg(8, 8)[:-400], b"GIF89a" * 9]
)
def test_without_a_size_there_is_none(data: bytes) -> None:
    with pytest.raises(MediaError, match="without a size"):
        jpeg_size(data[:150])
