"""Real processes: serve, push and listen as a person runs them, over the real decoder and ears."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from strad.cues import Cue
from strad.predictions import PREDICTIONS, Prediction
from strad.timeline import Interval
from tests.service.live import free_port
from tests.service.test_remux import film

pytestmark = pytest.mark.service

ROOT = Path(__file__).parents[2]
RUN = (sys.executable, "-c", "from service.cli import main; main()")


@contextmanager
def strad(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A running command; ended, if need be, when the block ends."""
    kept = "STRAD_JOBS_FOLDER"
    environment = {k: v for k, v in os.environ.items() if k == kept or not k.startswith("STRAD_")}
    process = subprocess.Popen(
        [*RUN, *words],
        cwd=ROOT,
        env=environment | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def finish(process: subprocess.Popen[str], limit: float) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    out, err = process.communicate(timeout=limit)
    return process.returncode, out, err


def read_until_ad(viewer: subprocess.Popen[str]) -> None:
    assert viewer.stdout is not None
    for line in viewer.stdout:
        if json.loads(line)["type"] == "ad":
            return
    raise AssertionError("the stream ended without a description")


@contextmanager
def service(tmp_path: Path, *more: str, lines: int = 20) -> Iterator[tuple[Any, str]]:
    """A running service that says a line every two seconds; its address."""
    script = tmp_path / "lines.jsonl"
    cues = [Cue(Interval(n * 2_000, n * 2_000 + 1_500), f"Line {n}.") for n in range(lines)]
    script.write_text(PREDICTIONS.write(Prediction.of("news", cue) for cue in cues))
    port = free_port()
    words = ("serve", "--port", str(port), "--describer", f"scripted:{script}", "--asr", "off")
    with strad(*words, *more) as process:
        address = f"http://127.0.0.1:{port}"
        wait_for(address)
        yield process, address


def wait_for(address: str, limit: float = 90.0) -> None:
    until = time.monotonic() + limit  # noqa: TID251 - a real process is waited for
    while True:
        try:
            assert httpx.get(f"{address}/healthz").json() == {"status": "ok"}
        except httpx.TransportError:
            assert time.monotonic() < until  # noqa: TID251
            time.sleep(0.1)
        else:
            return


def test_a_film_is_pushed_and_its_viewer_reads_every_line(tmp_path: Path) -> None:
    media = film(tmp_path / "film.avi", seconds=12)
    with service(tmp_path) as (server, address):
        url = f"{address}/v1/streams/film"
        with strad("listen", "--jsonl", url) as viewer:
            with strad("push", str(media), "--pace", "fast", "--to", url) as publisher:
                code, out, err = finish(publisher, 90)
            assert (code, out) == (0, "")
            assert re.search(r"00:1[12]\.\d of media: \d+ descriptions", err), err
            code, out, err = finish(viewer, 60)
        assert (code, "Traceback" in err) == (0, False)
        messages = [json.loads(line) for line in out.splitlines()]
        ads = [m for m in messages if m["type"] == "ad"]
        track = httpx.get(f"{url}/descriptions.vtt").text
        assert len(ads) >= 1
        assert [ad["text"] for ad in ads] == re.findall(r"Line \d+\.", track)
        assert messages[-1]["summary"]["live_edge"] == pytest.approx(12.0, abs=0.2)
        server.send_signal(signal.SIGTERM)
        code, _, err = finish(server, 60)
        assert code == 0
        assert "Traceback" not in err
        assert "Line" not in err, "descriptions are not logged"


@pytest.mark.slow
def test_sigterm_drains_what_is_live_and_tells_everybody(tmp_path: Path) -> None:
    media = film(tmp_path / "film.mp4", seconds=60)
    with service(tmp_path) as (server, address):
        url = f"{address}/v1/streams/film"
        with (
            strad("listen", "--jsonl", url) as viewer,
            strad("push", str(media), "--to", url) as publisher,
        ):
            read_until_ad(viewer)
            server.send_signal(signal.SIGTERM)
            code, _, err = finish(publisher, 60)
            assert code == 1, err
            assert "of media:" in err
            assert "strad: the service shut down: it took no more than 00:" in err.splitlines()[-1]
            code, out, err = finish(viewer, 60)
            assert code == 0, err
            assert json.loads(out.splitlines()[-1])["type"] == "end"
        assert finish(server, 60)[0] == 0


@pytest.mark.slow
def test_ctrl_c_stops_a_push_and_the_service_goes_on(tmp_path: Path) -> None:
    media = film(tmp_path / "film.mp4", seconds=60)
    with service(tmp_path) as (_, address):
        url = f"{address}/v1/streams/film"
        with (
            strad("listen", "--jsonl", url) as viewer,
            strad("push", str(media), "--to", url) as publisher,
        ):
            read_until_ad(viewer)
            publisher.send_signal(signal.SIGINT)
            code, _, err = finish(publisher, 60)
            assert (code, "Traceback" in err) == (130, False)
            assert finish(viewer, 60)[0] == 0
        assert httpx.get(f"{address}/healthz").json() == {"status": "ok"}


@pytest.mark.slow
def test_a_growing_file_is_described_while_it_is_written(tmp_path: Path) -> None:
    data = film(tmp_path / "whole.ts", seconds=20, codec="mpeg2video").read_bytes()
    growing = tmp_path / "growing.ts"
    growing.touch()
    written, described = threading.Event(), threading.Event()

    def write() -> None:
        with growing.open("ab", buffering=0) as file:
            for n in range(40):
                file.write(data[n * len(data) // 40 : (n + 1) * len(data) // 40])
                described.wait(0.25 if n < 20 else 1.0)
        written.set()

    with service(tmp_path) as (_, address):
        url = f"{address}/v1/streams/growing"
        push = ("push", str(growing), "--follow", "--still", "3", "--pace", "fast", "--to", url)
        writer = threading.Thread(target=write)
        writer.start()
        with strad("listen", "--jsonl", url) as viewer, strad(*push) as publisher:
            assert viewer.stdout is not None
            early = 0
            for line in viewer.stdout:
                message = json.loads(line)
                early += message["type"] == "ad" and not written.is_set()
                if early == 2:
                    described.set()  # the rest may come at once
                if message["type"] == "end":
                    break
            assert finish(publisher, 60)[0] == 0
        writer.join(5)
    assert early >= 2
    assert message["summary"]["live_edge"] == pytest.approx(20.0, abs=0.5)
