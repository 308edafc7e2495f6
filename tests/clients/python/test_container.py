"""Containers are told by their first bytes, and MP4 by the order of its boxes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.python.container import container_of, streams_as_bytes
from strad.wire.publishing import Container

pytestmark = pytest.mark.unit

TS = (b"\x47" + bytes(187)) * 4
M2TS = (bytes(4) + b"\x47" + bytes(187)) * 4


@pytest.mark.parametrize(
    ("head", "container"),
    [
        (b"\x1a\x45\xdf\xa3" + bytes(20) + b"webm" + bytes(20), Container.WEBM),
        (b"\x1a\x45\xdf\xa3" + bytes(20) + b"matroska" + bytes(20), Container.MATROSKA),
        (bytes(4) + b"ftypisom" + bytes(20), Container.MP4),
        (b"FLV\x01\x05" + bytes(20), Container.FLV),
        (b"OggS" + bytes(20), Container.OGG),
        (TS, Container.MPEGTS),
        (M2TS, Container.MPEGTS),
        (b"RIFF0000AVI LIST" + bytes(20), None),
        (b"WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n", None),
    ],
)
def test_first_bytes_tell_more_than_the_name(head: bytes, container: Container | None) -> None:
    assert container_of(Path("film.ts"), head) is container


def test_the_name_tells_while_there_are_no_bytes() -> None:
    assert container_of(Path("a.TS")) is Container.MPEGTS
    assert container_of(Path("a.webm"), b"\x1a") is Container.WEBM
    assert container_of(Path("a.txt")) is None


@given(st.binary(max_size=600))
def test_any_bytes_have_an_answer(head: bytes) -> None:
    container_of(Path("x"), head)
    streams_as_bytes(Container.MP4, io.BytesIO(head), len(head))


def box(kind: bytes, size: int) -> bytes:
    return size.to_bytes(4, "big") + kind + bytes(size - 8)


def large_box(kind: bytes, size: int) -> bytes:
    return b"\0\0\0\x01" + kind + size.to_bytes(8, "big") + bytes(size - 16)


@pytest.mark.parametrize(
    ("file", "streams"),
    [
        (box(b"ftyp", 24) + box(b"moov", 100) + box(b"mdat", 50), True),
        (box(b"ftyp", 24) + box(b"mdat", 50) + box(b"moov", 100), False),
        (box(b"ftyp", 24) + box(b"free", 30) + large_box(b"mdat", 50) + box(b"moov", 99), False),
        (box(b"ftyp", 24) + large_box(b"free", 30) + box(b"moov", 100), True),
        (box(b"ftyp", 24), False),
        (box(b"ftyp", 24) + b"\0\0\0\x02moov" + bytes(20), True),
    ],
)
def test_an_mp4_streams_when_its_index_comes_first(file: bytes, streams: bool) -> None:
    assert streams_as_bytes(Container.MP4, io.BytesIO(file), len(file)) is streams


def test_other_containers_always_stream() -> None:
    assert streams_as_bytes(Container.FLV, io.BytesIO(b""), 0)
