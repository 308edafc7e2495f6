"""Two services on one Redis: Redis is killed, then the publisher's service; nothing is lost."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import httpx
import pytest

from tests.service.live import free_port
from tests.service.redis_server import running_redis
from tests.service.test_kill import Reader, serve_words
from tests.service.test_processes import finish, strad, wait_for
from tests.service.test_remux import film

pytestmark = [pytest.mark.service, pytest.mark.slow]

SECONDS = 22


def replica(tmp_path: Path, redis: str, port: int) -> tuple[str, ...]:
    """The words that start one, as ``strad``'s."""
    folder = tmp_path / str(port)
    folder.mkdir(exist_ok=True)
    words = serve_words(folder, port)
    (folder / "strad.toml").write_text(f'log = "{redis}"\n')
    return words


def texts(track: str) -> list[str]:
    return re.findall(r"Line \d+ of many\.", track)


def test_viewers_elsewhere_miss_nothing_when_redis_and_the_publishers_service_die(
    tmp_path: Path,
) -> None:
    media = film(tmp_path / "film.mp4", seconds=SECONDS)
    ports = free_port(), free_port()
    here, there = (f"http://127.0.0.1:{port}" for port in ports)
    path = "/v1/streams/film"
    (tmp_path / "redis").mkdir()
    with running_redis(tmp_path / "redis") as redis:
        one, two = (replica(tmp_path, redis.address, port) for port in ports)
        with strad(*one) as first, strad(*two) as second:
            wait_for(here)
            wait_for(there)
            with (
                strad("listen", "--jsonl", there + path) as viewer,
                strad("push", str(media), "--to", here + path, "--delay", "4") as publisher,
            ):
                reader = Reader(viewer)
                reader.wait_for_ads(2)
                redis.kill()
                redis.start()
                reader.wait_for_ads(4)
                first.send_signal(signal.SIGKILL)
                first.wait(10)
                told = len(reader.ads())
                with strad(*one) as again:
                    wait_for(here)
                    code, _, err = finish(publisher, 90)
                    assert code == 0, err
                    assert "connected again at" in err
                    reader.end()
                    tracks = [
                        httpx.get(f"{at}{path}/descriptions.vtt").text for at in (here, there)
                    ]
                    listed = httpx.get(f"{there}/v1/streams").json()["streams"]
                    again.send_signal(signal.SIGTERM)
                    assert finish(again, 20)[0] == 0
            second.send_signal(signal.SIGTERM)
            code, _, err = finish(second, 20)
            assert (code, "Traceback" in err) == (0, False), err
    ads = reader.ads()
    assert [ad["number"] for ad in ads] == list(range(1, len(ads) + 1))
    assert len(ads) > told
    announced = [ad["text"] for ad in sorted(ads, key=lambda ad: float(str(ad["start"])))]
    assert len(set(announced)) == len(announced)
    assert texts(tracks[0]) == texts(tracks[1]) == announced
    assert reader.messages[-1]["type"] == "end"
    assert [line["state"] for line in listed] == ["ended"]
