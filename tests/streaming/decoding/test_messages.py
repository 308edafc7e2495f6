"""What a child says arrives as it was said, and nonsense is refused."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.decoding.messages import (
    HEAD,
    LENGTH,
    Ended,
    Failed,
    Message,
    Opened,
    pack,
    pack_order,
    unpack,
    unpack_order,
)
from streaming.ingest import IngestOptions, order_for
from streaming.media import AudioChunk, MediaNotice, VideoFrame
from streaming.sources import UrlSource

pytestmark = pytest.mark.unit

MESSAGES: list[Message] = [
    VideoFrame(3_000, b"jpeg", 640, 360, 0xFEDC_BA98_7654_3210),
    AudioChunk(100, b"\1\2" * 1600),
    MediaNotice("clock-jump", 5, "it jumped — twice", 2),
    Opened(None),
    Opened(60_000),
    Failed("no-media", "nothing here"),
    Ended(),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_messages_arrive_as_they_were_said(message: Message) -> None:
    packed = pack(message)
    kind, size = HEAD.unpack_from(packed)
    assert size == len(packed) - HEAD.size
    assert unpack(kind, packed[HEAD.size :]) == message


def test_the_order_arrives_whole() -> None:
    order = order_for(UrlSource("https://a.example/x.mp4"), IngestOptions(fps=2))
    packed = pack_order(order)
    (size,) = LENGTH.unpack_from(packed)
    assert size == len(packed) - LENGTH.size
    assert unpack_order(packed[LENGTH.size :]) == order


@given(st.binary(max_size=1), st.binary(max_size=64))
def test_nonsense_is_refused_in_known_ways(kind: bytes, payload: bytes) -> None:
    try:
        unpack(kind, payload)
    except (ValueError, TypeError, struct.error):
        return
