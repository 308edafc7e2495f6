"""A JPEG of coloured squares, made in plain Python: the same bytes everywhere, for ever. Pure.

Baseline JPEG (ITU-T T.81), every 8x8 block of one colour: only DC coefficients, no library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Y, Cb and Cr, 0 to 255 each."""

_LENGTHS = (0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
"""How many DC codes there are of each length (T.81, table K.3); they stand for 0 to 11 bits."""
_ALWAYS_OVER = (1, *15 * (0,))
"""The one AC code: nothing more in this block."""
_END_OF_BLOCK = "0"


def picture(blocks: Sequence[Sequence[Colour]]) -> bytes:
    """The JPEG of these blocks, rows from the top; 8 times as many pixels either way."""
    height, width = 8 * len(blocks), 8 * len(blocks[0])
    scan = _packed(_bits(colour for row in blocks for colour in row))
    return b"".join(
        [
            b"\xff\xd8",
            _segment(0xDB, b"\0" + 64 * b"\x08"),
            _segment(0xC0, struct.pack(">BHHB", 8, height, width, 3) + _components(b"\x11\0")),
            _segment(0xC4, b"\0" + bytes(_LENGTHS) + bytes(range(12))),
            _segment(0xC4, b"\x10" + bytes(_ALWAYS_OVER) + b"\0"),
            _segment(0xDA, b"\x03" + _components(b"\0") + b"\0\x3f\0"),
            scan,
            b"\xff\xd9",
        ]
    )


def _components(each: bytes) -> bytes:
    return b"".join(bytes([number]) + each for number in (1, 2, 3))


def _segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def _bits(colours: Iterable[Colour]) -> Iterable[str]:
    codes = _codes()
    before = [0, 0, 0]
    for colour in colours:
        for n, value in enumerate(colour):
            level = value - 128
            yield _difference(level - before[n], codes) + _END_OF_BLOCK
            before[n] = level


def _difference(by: int, codes: Sequence[str]) -> str:
    """T.81, F.1.2.1: how many bits, then the bits; of a negative one, those of it minus one."""
    size = abs(by).bit_length()
    low = by if by >= 0 else by + (1 << size) - 1
    return codes[size] + (f"{low:0{size}b}" if size else "")


def _codes() -> list[str]:
    """The DC codes in order (T.81, annex C)."""
    codes: list[str] = []
    code = 0
    for length, count in enumerate(_LENGTHS, 1):
        for _ in range(count):
            codes.append(f"{code:0{length}b}")
            code += 1
        code <<= 1
    return codes


def _packed(bits: Iterable[str]) -> bytes:
    """Bits as bytes, the last filled up by ones, 0 after each 255 (T.81, B.1.1.5)."""
    joined = "".join(bits)
    joined += "1" * (-len(joined) % 8)
    packed = int(joined, 2).to_bytes(len(joined) // 8, "big")
    return packed.replace(b"\xff", b"\xff\0")
