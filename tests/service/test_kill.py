"""kill -9 in mid-stream: the service starts again, publisher and viewer go on, nothing twice."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from strad.cues import Cue
from strad.predictions import PREDICTIONS, Prediction
from strad.timeline import Interval
from tests.service.live import free_port
from tests.service.test_processes import finish, strad, wait_for
from tests.service.test_remux import film

pytestmark = [pytest.mark.service, pytest.mark.slow]

LINES = 40


def serve_words(tmp_path: Path, port: int) -> tuple[str, ...]:
    script = tmp_path / "lines.jsonl"
    cues = [Cue(Interval(n * 2_000, n * 2_000 + 1_500), f"Line {n} of many.") for n in range(LINES)]
    script.write_text(PREDICTIONS.write(Prediction.of("news", cue) for cue in cues))
    config = tmp_path / "strad.toml"
    config.write_text(f'log = "sqlite:{tmp_path / "log.sqlite"}"\n')
    return (
        *("serve", "--port", str(port), "--describer", f"scripted:{script}"),
        *("--asr", "off", "--config", str(config)),
    )


class Reader:
    """Reads a viewer's lines in a thread."""

    def __init__(self, viewer: subprocess.Popen[str]) -> None:
        self.messages: list[dict[str, object]] = []
        self._some = threading.Condition()
        self._viewer = viewer
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self._viewer.stdout is not None
        for line in self._viewer.stdout:
            with self._some:
                self.messages.append(json.loads(line))
                self._some.notify_all()

    def ads(self) -> list[dict[str, object]]:
        return [message for message in self.messages if message["type"] == "ad"]

    def wait_for_ads(self, count: int, limit: float = 60.0) -> None:
        with self._some:
            assert self._some.wait_for(lambda: len(self.ads()) >= count, limit), self.messages

    def end(self) -> None:
        self._thread.join(30)
        assert not self._thread.is_alive()


def test_a_killed_service_is_gone_on_with(tmp_path: Path) -> None:
    media = film(tmp_path / "film.mp4", seconds=45)
    port = free_port()
    url = f"http://127.0.0.1:{port}/v1/streams/film"
    words = serve_words(tmp_path, port)
    with strad(*words) as first:
        wait_for(f"http://127.0.0.1:{port}")
        with (
            strad("listen", "--jsonl", url) as viewer,
            strad("push", str(media), "--to", url, "--delay", "4") as publisher,
        ):
            reader = Reader(viewer)
            reader.wait_for_ads(3)
            first.send_signal(signal.SIGKILL)
            first.wait(10)
            told = [str(ad["text"]) for ad in reader.ads()]
            with strad(*words) as second:
                wait_for(f"http://127.0.0.1:{port}")
                code, _, err = finish(publisher, 90)
                assert code == 0, err
                assert "connected again at" in err
                reader.end()
                track = httpx.get(f"{url}/descriptions.vtt").text
                second.send_signal(signal.SIGTERM)
                finish(second, 60)
    check_all_told(reader, told, track)


def check_all_told(reader: Reader, told: list[str], track: str) -> None:
    """The viewer was told each once, what it was ``told`` before the crash first; ``track`` too."""
    ads = reader.ads()
    texts = [str(ad["text"]) for ad in ads]
    assert texts[: len(told)] == told
    assert len(set(texts)) == len(texts)
    assert [ad["number"] for ad in ads] == list(range(1, len(ads) + 1))
    in_order = sorted(ads, key=lambda ad: float(str(ad["start"])))
    assert re.findall(r"Line \d+ of many\.", track) == [ad["text"] for ad in in_order]
    spans = [(float(str(ad["start"])), float(str(ad["end"]))) for ad in in_order]
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert len(texts) > len(told)
    assert reader.messages[-1]["type"] == "end"
    summary = reader.messages[-1]["summary"]
    assert isinstance(summary, dict)
    assert summary["live_edge"] == pytest.approx(45.0, abs=0.3)
    assert summary["events"] == len(ads)
