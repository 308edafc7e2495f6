"""Redis is away for ten seconds of a live stream: both services wait, and nobody is dropped."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from tests.service.test_kill import Reader
from tests.service.test_processes import finish, strad
from tests.service.test_remux import film
from tests.service.test_replicas import check, leave, pair

pytestmark = [pytest.mark.service, pytest.mark.slow]

AWAY = 10.0
"""Wall seconds without Redis, of the 20 that an append waits."""

SECONDS = 30


def test_a_live_stream_outlasts_ten_seconds_without_redis(tmp_path: Path) -> None:
    media = film(tmp_path / "film.mp4", seconds=SECONDS)
    with (
        pair(tmp_path) as both,
        strad("listen", "--jsonl", both.there) as viewer,
        strad("push", str(media), "--to", both.here, "--delay", "4") as publisher,
    ):
        reader = Reader(viewer)
        reader.wait_for_ads(2)
        both.redis.kill()
        ready = httpx.get(both.here.removesuffix("/v1/streams/film") + "/readyz", timeout=20)
        assert (ready.status_code, "log" in ready.text) == (503, True)
        time.sleep(AWAY)
        both.redis.start()
        told = len(reader.ads())
        reader.wait_for_ads(told + 2)
        code, _, err = finish(publisher, 120)
        assert (code, "connected again" in err) == (0, False), err
        reader.end()
        tracks = [httpx.get(f"{at}/descriptions.vtt").text for at in (both.here, both.there)]
        leave(both.first)
        leave(both.second)
    check(reader.messages, reader.ads(), told, tracks)
    sequence = [int(str(message["seq"])) for message in reader.messages if message.get("seq")]
    assert all(later == earlier + 1 for earlier, later in pairwise(sequence))
