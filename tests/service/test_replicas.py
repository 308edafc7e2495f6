"""Two services on one Redis: Redis is killed, then the publisher's service; nothing is lost."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.service.live import free_port
from tests.service.redis_server import RedisServer, running_redis
from tests.service.test_kill import Reader, serve_words
from tests.service.test_processes import finish, strad, wait_for
from tests.service.test_remux import film

pytestmark = [pytest.mark.service, pytest.mark.slow]

SECONDS = 22
PATH = "/v1/streams/film"


def replica(tmp_path: Path, redis: str, port: int) -> tuple[str, ...]:
    """The words that start one, as ``strad``'s."""
    folder = tmp_path / str(port)
    folder.mkdir(exist_ok=True)
    words = serve_words(folder, port)
    (folder / "strad.toml").write_text(f'log = "{redis}"\n')
    return words


def texts(track: str) -> list[str]:
    return re.findall(r"Line \d+ of many\.", track)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two services on one Redis."""

    redis: RedisServer
    first: subprocess.Popen[str]
    second: subprocess.Popen[str]
    words: tuple[str, ...]
    """Start another in the place of the first."""
    here: str
    there: str
    """The stream's address at each."""


@contextmanager
def pair(tmp_path: Path) -> Iterator[Pair]:
    """Both, once they answer."""
    (tmp_path / "redis").mkdir()
    ports = free_port(), free_port()
    here, there = (f"http://127.0.0.1:{port}" for port in ports)
    with running_redis(tmp_path / "redis") as redis:
        one, two = (replica(tmp_path, redis.address, port) for port in ports)
        with strad(*one) as first, strad(*two) as second:
            wait_for(here)
            wait_for(there)
            yield Pair(redis, first, second, one, here + PATH, there + PATH)


def leave(service: subprocess.Popen[str]) -> None:
    """SIGTERM, and an end in order."""
    service.send_signal(signal.SIGTERM)
    code, _, err = finish(service, 20)
    assert (code, "Traceback" in err) == (0, False), err


def test_viewers_elsewhere_miss_nothing_when_redis_and_the_publishers_service_die(
    tmp_path: Path,
) -> None:
    media = film(tmp_path / "film.mp4", seconds=SECONDS)
    with (
        pair(tmp_path) as both,
        strad("listen", "--jsonl", both.there) as viewer,
        strad("push", str(media), "--to", both.here, "--delay", "4") as publisher,
    ):
        reader = Reader(viewer)
        reader.wait_for_ads(2)
        both.redis.kill()
        both.redis.start()
        reader.wait_for_ads(4)
        both.first.kill()
        both.first.wait(10)
        told = len(reader.ads())
        with strad(*both.words) as again:
            code, _, err = finish(publisher, 90)
            assert code == 0, err
            assert "connected again at" in err
            reader.end()
            tracks = [httpx.get(f"{at}/descriptions.vtt").text for at in (both.here, both.there)]
            leave(again)
        leave(both.second)
    check(reader.messages, reader.ads(), told, tracks)


def check(
    messages: list[dict[str, object]], ads: list[dict[str, object]], told: int, tracks: list[str]
) -> None:
    """Each description once, in order of announcement, and in both tracks."""
    assert [ad["number"] for ad in ads] == list(range(1, len(ads) + 1))
    assert len(ads) > told
    announced = [ad["text"] for ad in sorted(ads, key=lambda ad: float(str(ad["start"])))]
    assert len(set(announced)) == len(announced)
    assert texts(tracks[0]) == texts(tracks[1]) == announced
    assert messages[-1]["type"] == "end"
