"""How a push ends: not well when the service shut down, nor when nothing could be decoded."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.cli.push import check_whole
from strad.errors import NoMediaError, PeerGoneError
from strad.wire.answering import Summary

pytestmark = pytest.mark.unit

MEDIA = Path("film.webm")


def summary(live_edge: float) -> Summary:
    return Summary(
        live_edge=live_edge,
        windows=0,
        events=0,
        withdrawn=0,
        skipped=0,
        no_gap=0,
        waits={},
        drops={},
    )


def test_a_push_cut_off_or_empty_has_not_gone_well() -> None:
    check_whole(summary(3.0), MEDIA, shut_down=False)
    with pytest.raises(PeerGoneError, match=r"shut down.* 00:03\.0 of film\.webm") as cut:
        check_whole(summary(3.0), MEDIA, shut_down=True)
    with pytest.raises(NoMediaError, match=r"film\.webm: .*nothing"):
        check_whole(summary(0.0), MEDIA, shut_down=False)
    assert cut.value.exit_code == 1
