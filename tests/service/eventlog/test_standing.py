"""Where a log stands follows from its messages, and survives being kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.eventlog.entry import Entry
from service.eventlog.standing import Standing
from service.eventlog.tail import Tail
from strad.errors import LogError
from strad.wire.answering import Error
from strad.wire.viewing import End, Logged, State, StreamState, Withdraw
from tests.service.eventlog.kinds import ABOUT, said

pytestmark = pytest.mark.unit

MESSAGES: list[Logged] = [
    State(seq=1, state=StreamState.LIVE, about=ABOUT),
    State(seq=2, state=StreamState.DRAINING),
    Withdraw(seq=3, id="ad-1", at=1.0, reason="speech"),
    Error(seq=4, code="log", message="the disk is full", fatal=False),
    Error(seq=5, code="decoder", message="it crashed"),
    End(seq=6),
]


@given(st.lists(st.sampled_from(MESSAGES)))
def test_it_holds_the_newest_of_each_and_survives_being_kept(messages: list[Logged]) -> None:
    standing = Standing()
    for message in messages:
        standing = standing.after(message)
    states = [m for m in messages if isinstance(m, State)]
    errors = [m for m in messages if isinstance(m, Error) and m.fatal]
    assert standing.state == (states[-1] if states else None)
    assert standing.error == (errors[-1] if errors else None)
    assert standing.ended == any(isinstance(m, End) for m in messages)
    assert Standing.parse(standing.to_json()) == standing


@pytest.mark.parametrize("json", ["", "[]", '{"ended": "perhaps"}', '{"state": {"type": "ad"}}'])
def test_what_cannot_be_read_is_an_error_of_the_log(json: str) -> None:
    with pytest.raises(LogError, match="this version can't read"):
        Standing.parse(json)


@pytest.mark.parametrize(
    "json", ["", "{", '{"type": "hello"}', '{"type": "of-tomorrow", "seq": 1}', '{"type": "end"}']
)
def test_a_message_that_cannot_be_read_is_an_error_of_the_log(json: str) -> None:
    with pytest.raises(LogError, match="can't be read"):
        Entry.parse(json)


@given(st.lists(st.integers(1, 30), max_size=40), st.integers(1, 8))
def test_a_tail_holds_the_newest_without_a_hole(numbers: list[int], near: int) -> None:
    tail = Tail(near)
    for seq in numbers:
        tail.add(Entry.of(said(seq)))
    held = [entry.seq for entry in tail.read(0, 100)]
    assert held == list(range(tail.nearest, tail.last + 1))
    assert len(held) <= near
    assert tail.last == max(numbers, default=0)
