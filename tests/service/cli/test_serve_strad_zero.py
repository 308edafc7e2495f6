"""The service with an engine and nothing else describes with strad-zero, as a stream plays."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from service.cli.main import main
from strad.timeline import Interval
from tests.seeing.film import Figure, Film, Title, render
from tests.seeing.server import MODEL, seeing_thread

pytestmark = [pytest.mark.service, pytest.mark.slow]

FILM = Film(
    10_000,
    (Figure(Interval(500, 4_500), "red", "circle", "right"),),
    (Title(Interval(5_000, 9_000), "ROOM 12"),),
)


@pytest.mark.parametrize("calls", ["3", "1"])
def test_a_stream_is_described_as_it_plays(
    calls: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    film = render(FILM, tmp_path / "film.webm")
    with seeing_thread() as server:
        monkeypatch.setenv("STRAD_ENGINE", f"openai:{server.url}")
        monkeypatch.setenv("STRAD_MODEL", MODEL)
        options = ("--calls", calls, "--asr", "off", "--delay", "5", "--out", str(tmp_path))
        monkeypatch.setattr(sys, "argv", ["strad", "demo", str(film), *options])
        with pytest.raises(SystemExit) as ended:
            main()
    out, err = capsys.readouterr()
    assert not ended.value.code, err
    assert "A red circle moves right" in out
    assert "ROOM 12" in out
    assert server.refused == []
    assert set(server.tasks_asked) == (
        {"watch"} if calls == "1" else {"caption", "decide", "describe"}
    )
    track = (tmp_path / "film.ad.vtt").read_text()
    assert f"strad-zero:{MODEL}" in track
