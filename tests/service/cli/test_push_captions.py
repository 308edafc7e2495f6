"""A caption file as messages: nothing lost, nothing too long, in order."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cli.push_captions import MOST_BYTES, caption_messages
from strad.cues import Cue
from strad.errors import InputError
from strad.timeline import Interval, from_seconds
from strad.wire.message import MAX_CONTROL, MAX_SECONDS, MAX_TEXT
from strad.wire.publishing import MAX_CAPTIONS, Captions, parse_from_publisher

pytestmark = pytest.mark.unit

FILE = Path("a.vtt")


def messages(cues: list[Cue]) -> list[Captions]:
    return list(caption_messages(cues, FILE))


def test_captions_are_sent_in_order_and_closed() -> None:
    cues = [Cue(Interval(n * 1_000, n * 1_000 + 800), f"line {n}") for n in range(1_001)]
    found = messages(cues)
    assert [len(message.cues) for message in found] == [MAX_CAPTIONS, MAX_CAPTIONS, 1]
    assert [message.until for message in found] == [500.0, 1_000.0, MAX_SECONDS]
    (none,) = messages([])
    assert (none.cues, none.until) == ((), MAX_SECONDS)


CUES = st.builds(
    lambda start, length, word, times: Cue(Interval(start, start + length), (word * times).strip()),
    st.integers(0, 10**9),
    st.integers(0, 60_000),
    st.sampled_from(["word ", "x", "\N{CHEERING MEGAPHONE} ", '"', "<b>é "]),
    st.sampled_from([0, 1, 10, 790, 4_000, 9_000]),
)


@given(st.lists(CUES, max_size=60))
def test_all_the_text_arrives_in_messages_the_wire_takes(cues: list[Cue]) -> None:
    cues = sorted(cues, key=lambda cue: cue.when)
    found = messages(cues)
    sent = [cue for message in found for cue in message.cues]
    arrived = sorted("".join(cue.text for cue in sent).replace(" ", ""))
    assert arrived == sorted("".join(cue.text for cue in cues).replace(" ", ""))
    assert all(a.start <= b.start for a, b in pairwise(sent))
    final = 0.0
    for message in found:
        text = message.to_json()
        assert len(text) <= MAX_CONTROL
        assert len(text.encode()) <= MOST_BYTES + 1_000
        assert parse_from_publisher(text) == message
        assert all(cue.start >= final for cue in message.cues)
        final = message.until


def test_a_cue_that_is_too_long_shares_its_time() -> None:
    (message,) = messages([Cue(Interval(0, 9_000), " ".join(["word"] * 1_500))])
    assert [len(cue.text) <= MAX_TEXT for cue in message.cues] == [True, True]
    first, second = message.cues
    assert (first.start, second.end, first.end) == (0.0, 9.0, second.start)
    assert len(first.text.split()) + len(second.text.split()) == 1_500


def test_a_time_the_wire_cannot_say_is_refused_with_the_file() -> None:
    late = from_seconds(MAX_SECONDS)
    with pytest.raises(InputError, match=r"a\.vtt: the caption from"):
        messages([Cue(Interval(late - 1, late + 1), "late")])
