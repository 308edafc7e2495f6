"""Two services on one Redis: it dies, stays away, comes back; then the publisher's service dies."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.service.lines_to_say import serve_words
from tests.service.live import free_port
from tests.service.reader import Reader
from tests.service.redis_server import RedisServer, running_redis
from tests.service.test_processes import finish, strad, wait_for
from tests.service.test_remux import film

pytestmark = [pytest.mark.service, pytest.mark.slow]

SECONDS = 28
"""Of media: some fifteen when the publisher's service dies."""
AWAY = 10.0
"""Wall seconds without Redis, of the 20 that an append waits."""

PATH = "/v1/streams/film"


def replica(tmp_path: Path, redis: str, port: int) -> tuple[str, ...]:
    """The words that start one, as ``strad``'s."""
    folder = tmp_path / str(port)
    folder.mkdir()
    return serve_words(folder, port, redis)


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
    """The address of each."""

    def track(self, at: str) -> str:
        return httpx.get(f"{at}{PATH}/descriptions.vtt", timeout=20).text


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
            yield Pair(redis, first, second, one, here, there)


def leave(service: subprocess.Popen[str]) -> None:
    """SIGTERM, and an end in order."""
    service.send_signal(signal.SIGTERM)
    code, _, err = finish(service, 60)
    assert (code, "Traceback" in err) == (0, False), err


def outlast_redis(both: Pair, reader: Reader) -> None:
    """It is killed, is away for ten seconds, and is there again with what was on its disk."""
    both.redis.kill()
    ready = httpx.get(f"{both.here}/readyz", timeout=20)
    assert (ready.status_code, "log" in ready.text) == (503, True)
    time.sleep(AWAY)
    both.redis.start()
    reader.wait_for_ads(len(reader.ads()) + 2)


def test_viewers_elsewhere_miss_nothing_when_redis_and_the_publishers_service_die(
    tmp_path: Path,
) -> None:
    media = film(tmp_path / "film.mp4", seconds=SECONDS)
    with (
        pair(tmp_path) as both,
        strad("listen", "--jsonl", both.there + PATH) as viewer,
        strad("push", str(media), "--to", both.here + PATH, "--delay", "4") as publisher,
    ):
        reader = Reader(viewer)
        reader.wait_for_ads(1)
        outlast_redis(both, reader)
        both.first.kill()
        both.first.wait(10)
        told = len(reader.ads())
        with strad(*both.words) as again:
            code, _, err = finish(publisher, 120)
            assert code == 0, err
            assert err.count("connected again at") == 1, "for its service only, not for Redis"
            reader.end()
            tracks = [both.track(at) for at in (both.here, both.there)]
            leave(again)
        leave(both.second)
    reader.check(told, *tracks, seconds=SECONDS)
