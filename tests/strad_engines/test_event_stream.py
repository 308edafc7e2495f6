"""Events come out the same however the bytes were cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_engines.event_stream import EventStream

pytestmark = pytest.mark.unit

LINE = st.binary(max_size=12).map(lambda data: data.replace(b"\n", b"").replace(b"\r", b""))


@given(st.lists(LINE.filter(bool), max_size=6), st.sampled_from([b"\n", b"\r\n"]), st.data())
def test_any_cut_gives_the_same_events(said: list[bytes], end: bytes, data: st.DataObject) -> None:
    whole = b"".join(
        b": a comment" + end + b"event: x" + end + b"data: " + line + end + end for line in said
    )
    stream, found = EventStream(), []
    while whole:
        size = data.draw(st.integers(1, len(whole)))
        found += stream.feed(whole[:size])
        whole = whole[size:]
    assert found == said


def test_data_of_several_lines_is_one_event_and_an_unended_one_is_none() -> None:
    stream = EventStream()
    assert list(stream.feed(b"data:a\ndata: b\n\n\n\ndata: c\n")) == [b"a\nb"]
    assert list(stream.feed(b"\n")) == [b"c"]
