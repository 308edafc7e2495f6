"""Real processes with keys, and settings in a file: push, listen, pull of HLS, a job."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import av
import httpx
import numpy as np
import pytest

from service.security.caller import Scope
from service.security.keys import new_key, write_keys
from strad.cues import Cue
from strad.predictions import PREDICTIONS, Prediction
from strad.timeline import Interval
from tests.service.live import free_port
from tests.service.test_processes import ROOT, RUN, finish, wait_for
from tests.service.test_remux import film

pytestmark = [pytest.mark.service, pytest.mark.slow]


@contextmanager
def strad(*words: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A running command, with these variables."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith("STRAD_")}
    process = subprocess.Popen(
        [*RUN, *words],
        cwd=ROOT,
        env=ours | {"OMP_NUM_THREADS": "1"} | variables,
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


def hls(folder: Path, seconds: int) -> Path:
    """A finished HLS stream of two-second MPEG-TS segments, behind a list of variants."""
    with av.open(
        str(folder / "i.m3u8"), "w", format="hls", options={"hls_time": "2", "hls_list_size": "0"}
    ) as container:
        video = container.add_stream("mpeg2video", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        for n in range(seconds * 25):
            image = np.zeros((48, 64, 3), np.uint8)
            image[:, n % 40 : n % 40 + 20] = 255
            picture = av.VideoFrame.from_ndarray(image, format="rgb24")
            picture.pts, picture.time_base = n, Fraction(1, 25)
            container.mux(video.encode(picture))
        container.mux(video.encode(None))
    master = folder / "master.m3u8"
    master.write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=64x48\ni.m3u8\n")
    return master


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder over HTTP, on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def service(tmp_path: Path) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """A service with settings in a file; its address, a key that may all, and its process."""
    key, record = new_key([Scope.ADMIN])
    write_keys(tmp_path / "keys.json", [record])
    script = tmp_path / "lines.jsonl"
    cues = [Cue(Interval(n * 2_000, n * 2_000 + 1_500), f"Line {n}.") for n in range(20)]
    script.write_text(PREDICTIONS.write(Prediction.of("news", cue) for cue in cues))
    port = free_port()
    settings = tmp_path / "strad.toml"
    settings.write_text(
        f'port = {port}\nasr = "off"\n[auth]\nkeys = "{tmp_path}/keys.json"\n'
        f'[pull]\nallow = ["127.0.0.1"]\n[jobs]\nfolder = "{tmp_path}/jobs"\n'
    )
    words = ("serve", "--config", str(settings), "--describer", f"scripted:{script}")
    with strad(*words) as process:
        address = f"http://127.0.0.1:{port}"
        wait_for(address)
        yield address, key, process


def test_push_and_listen_need_the_key_and_nobody_logs_it(tmp_path: Path) -> None:
    media = film(tmp_path / "film.avi", seconds=8)
    with service(tmp_path) as (address, key, server):
        url = f"{address}/v1/streams/film"
        push = ("push", str(media), "--pace", "fast", "--to", url)
        with strad(*push) as refused:
            code, _, err = finish(refused, 30)
        assert (code, "Traceback" in err) == (2, False)
        assert "give --token, or set STRAD_TOKEN" in err
        with strad("listen", "--jsonl", url, STRAD_TOKEN=key) as viewer:
            with strad(*push, STRAD_TOKEN=key) as publisher:
                assert finish(publisher, 30)[0] == 0
            code, out, _ = finish(viewer, 20)
        assert code == 0
        assert any(json.loads(line)["type"] == "ad" for line in out.splitlines())
        server.terminate()
        _, logged, errors = finish(server, 60)
        assert key not in logged + errors


def test_hls_is_pulled_and_a_file_is_a_job(tmp_path: Path) -> None:
    folder = tmp_path / "media"
    folder.mkdir()
    hls(folder, seconds=6)
    clip = film(folder / "film.mp4", seconds=8)
    with service(tmp_path) as (address, key, _), served(folder) as origin:
        headers = {"Authorization": f"Bearer {key}"}
        with httpx.Client(base_url=address, headers=headers, timeout=60) as http:
            body = {"stream": "news", "url": f"{origin}/master.m3u8"}
            assert http.post("/v1/streams", json=body).status_code == 201
            kind = {"Content-Type": "video/mp4"}
            job = http.post("/v1/jobs", content=clip.read_bytes(), headers=kind).json()["job"]
            url = f"{address}/v1/streams/news"
            with strad("listen", "--jsonl", url, STRAD_TOKEN=key) as viewer:
                code, out, err = finish(viewer, 40)
            assert code == 0, err
            end = json.loads(out.splitlines()[-1])
            assert end["summary"]["live_edge"] == pytest.approx(6.0, abs=0.2)
            assert http.get("/v1/streams/news/source").json()["error"] is None
            record = http.get(f"/v1/jobs/{job}").json()
            assert record["state"] == "done", record
            text = http.get(f"/v1/jobs/{job}/descriptions.vtt").text
            assert re.findall(r"Line \d+\.", text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('host = "0.0.0.0"\n', "so callers must show a key"),
        ("prot = 1\n", "did you mean port?"),
        ('[auth]\nkeys = "/no/such"\n', "/no/such: can't be read"),
    ],
)
def test_bad_settings_are_one_line_and_exit_with_2(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "strad.toml"
    file.write_text(text)
    ended = subprocess.run(
        [sys.executable, *RUN[1:], "serve", "--config", str(file), "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert why in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
