"""How a push ends: not well when the service shut down, nor when nothing could be decoded."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from service.cli.main import main
from service.cli.push import check_whole
from strad.errors import NoMediaError, PeerGoneError, UnknownLogError
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


def test_a_stream_that_its_service_has_lost_is_failed_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def lost(*_: object) -> None:
        raise UnknownLogError("stream news can't be gone on with any more: publish it anew")

    film = tmp_path / "film.webm"
    film.write_bytes(b"\x1a\x45\xdf\xa3" + bytes(30))
    monkeypatch.setattr("service.cli.push._push", lost)
    words = ["strad", "push", str(film), "--pace", "fast", "--to", "http://127.0.0.1:9/news"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "the service has lost the stream: stream news can't" in capsys.readouterr().err
