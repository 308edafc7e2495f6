"""Framed messages are taken in order of time, each kind for itself; a refusal costs one message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.intake import LEAP, FramedIntake, intake_for
from strad.errors import ProtocolError
from strad.wire.framed import FramedKind, parse_framed, picture, sound
from strad.wire.publishing import Container
from streaming.decoding.framed import RECORD

pytestmark = pytest.mark.unit

JPEG = b"\xff\xd8\xff"


def test_a_containers_bytes_pass_as_they_are() -> None:
    assert intake_for(Container.WEBM, 0)(b"anything") == b"anything"


def test_each_message_gets_its_length() -> None:
    message = picture(0, JPEG).to_bytes()
    taken = intake_for(Container.FRAMED, 0)(message)
    assert RECORD.unpack_from(taken) == (len(message),)
    assert taken[RECORD.size :] == message


def test_kinds_may_lag_each_other_but_not_themselves() -> None:
    take = FramedIntake(0)
    take(picture(5_000, JPEG).to_bytes())
    take(sound(4_000_000, bytes(320)).to_bytes())
    take(picture(5_000, JPEG).to_bytes())
    with pytest.raises(ProtocolError, match=r"a picture of 4\.9 s after 5 s"):
        take(picture(4_900, JPEG).to_bytes())
    with pytest.raises(ProtocolError, match=r"sound of 3 s after 4 s"):
        take(sound(3_000_000, bytes(320)).to_bytes())
    take(sound(4_010_000, bytes(320)).to_bytes())


def test_times_may_not_leap() -> None:
    take = FramedIntake(60_000)
    with pytest.raises(ProtocolError, match="more than 120 s after"):
        take(picture(60_001 + LEAP, JPEG).to_bytes())
    take(picture(60_000 + LEAP, JPEG).to_bytes())
    take(picture(60_000 + 2 * LEAP, JPEG).to_bytes())


@given(
    st.lists(
        st.builds(lambda t: picture(t, JPEG), st.integers(0, 300_000))
        | st.builds(lambda t: sound(t * 1000, bytes(32)), st.integers(0, 300_000))
    )
)
def test_what_is_taken_never_steps_back(messages: list[object]) -> None:
    take = FramedIntake(0)
    last = {kind: 0 for kind in FramedKind}
    for message in messages:
        try:
            taken = parse_framed(take(message.to_bytes())[RECORD.size :])  # type: ignore[attr-defined]
        except ProtocolError:
            continue
        assert last[taken.kind] <= taken.us <= max(last.values()) + LEAP * 1000 + 2_000
        last[taken.kind] = taken.us
