"""What ``strad listen`` prints for people."""

from __future__ import annotations

import pytest

from service.cli.listen_lines import tell
from strad.wire.viewing import State, StreamState, ViewerHello

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("state", "last", "words"),
    [
        (StreamState.ENDED, 7, "news has ended already; this was said on it:"),
        (StreamState.WAITING, 0, "news: waiting"),
        (StreamState.LIVE, 7, ""),
    ],
)
def test_a_stream_that_has_ended_is_told_from_a_live_one(
    state: StreamState, last: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tell(ViewerHello(stream="news", log="9f86", state=state, last=last))
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("", words)


def test_the_end_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    tell(State(seq=3, state=StreamState.DRAINING))
    tell(State(seq=4, state=StreamState.ENDED))
    assert capsys.readouterr().err.splitlines() == [
        "the stream is draining",
        "the stream has ended",
    ]
