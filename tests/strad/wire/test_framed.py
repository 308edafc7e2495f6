"""Framed media: every byte of the head counts, and no bytes at all do more than be refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.errors import ProtocolError
from strad.wire.framed import HEAD, MAX_US, Framed, FramedKind, parse_framed, picture, sound
from strad.wire.message import MAX_SECONDS

pytestmark = pytest.mark.unit

JPEGS = st.binary(max_size=50).map(lambda rest: b"\xff\xd8\xff" + rest)
SOUNDS = st.binary(min_size=2, max_size=50).map(lambda data: data[: len(data) // 2 * 2])
TIMES = st.integers(0, MAX_US)
MESSAGES = st.builds(Framed, st.just(FramedKind.JPEG), TIMES, JPEGS) | st.builds(
    Framed, st.just(FramedKind.SOUND), TIMES, SOUNDS, st.integers(8_000, 96_000)
)


@given(MESSAGES)
def test_what_is_packed_is_read_again(message: Framed) -> None:
    assert parse_framed(message.to_bytes()) == message


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(ProtocolError):
        assert parse_framed(data).to_bytes() == data


@given(MESSAGES, st.integers(0, HEAD.size - 1), st.integers(1, 255))
def test_a_changed_head_is_another_message_or_refused(
    message: Framed, at: int, change: int
) -> None:
    data = bytearray(message.to_bytes())
    data[at] ^= change
    with contextlib.suppress(ProtocolError):
        assert parse_framed(bytes(data)) != message


def test_the_bytes_are_those_of_the_protocol_page() -> None:
    assert (
        picture(2_500, b"\xff\xd8\xff").to_bytes().hex() == "010000000000000000000000002625a0ffd8ff"
    )
    heard = sound(1_000, b"\x01\x00\xff\x7f", 16_000)
    assert heard.to_bytes().hex() == "0200000000003e8000000000000003e80100ff7f"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (b"", "16 bytes of head"),
        (HEAD.pack(1, 0, 0, 0, 0), "and a payload"),
        (HEAD.pack(3, 0, 0, 0, 0) + b"x", "kind 3 is neither"),
        (HEAD.pack(1, 1, 0, 0, 0) + b"x", "must be 0"),
        (HEAD.pack(1, 0, 0, 0, 2**63) + b"x", "no stream has"),
        (HEAD.pack(1, 0, 0, 16_000, 0) + b"\xff\xd8\xff", "rate must be 0"),
        (HEAD.pack(1, 0, 0, 0, 0) + b"\x89PNG", "no JPEG"),
        (HEAD.pack(2, 0, 0, 4_000, 0) + b"xx", "8000 to 96000 samples a second, not 4000"),
        (HEAD.pack(2, 0, 0, 16_000, 0) + b"xxx", "half a one"),
    ],
)
def test_what_is_wrong_is_said(message: bytes, words: str) -> None:
    with pytest.raises(ProtocolError, match=words):
        parse_framed(message)


def test_times_go_as_far_as_those_of_all_messages() -> None:
    assert MAX_US == MAX_SECONDS * 1_000_000


def test_sound_ends_after_its_last_sample() -> None:
    assert sound(0, bytes(32_000)).end_us == 1_000_000
    assert sound(500, bytes(2 * 480), 48_000).end_us == 10_500
