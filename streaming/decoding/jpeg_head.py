"""What a JPEG says of its own size, read from its markers before anything is decoded. Pure."""

from __future__ import annotations

from strad.errors import MediaError

_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers without a length: TEM, RST0 to RST7, SOI."""

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Start-of-frame markers; the others in the row are tables."""

_SCAN, _END = 0xDA, 0xD9


def jpeg_size(jpeg: bytes) -> tuple[int, int]:
    """Width and height in pixels. Raises MediaError where it says none."""
    at = 2 if jpeg.startswith(b"\xff\xd8") else len(jpeg)
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _ALONE:
            at += 2
        elif marker in _FRAMES:
            return _size(jpeg[at + 5 : at + 9])
        elif marker in (_SCAN, _END):
            break
        else:
            at += 2 + max(2, int.from_bytes(jpeg[at + 2 : at + 4], "big"))
    raise MediaError("a JPEG without a size")


def _size(field: bytes) -> tuple[int, int]:
    height, width = int.from_bytes(field[:2], "big"), int.from_bytes(field[2:4], "big")
    if len(field) < 4 or not width or not height:
        raise MediaError("a JPEG without a size")
    return width, height
