"""SQLite's disk is full in mid-stream: who publishes is told, nothing unkept is said, it goes on.

A file system of its own that is really full needs a right to mount it; a limit on the size of
files, which the system enforces likewise, needs none.
"""

from __future__ import annotations

import asyncio
import os
import re
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from clients.python.resuming import publish_on
from strad.errors import LogError
from strad.wire.answering import Answer, Ready
from strad.wire.publishing import Container, Hello
from tests.service.publishing import publishing
from tests.service.spelled_service import QuietReel, SpelledService, spelled_service
from tests.service.test_random_kills import SAID, Onlooker

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.usefixtures("soon_back")]

HELLO = Hello(container=Container.WEBM, delay=3.0)


class SmallDisk:
    """A file system of two megabytes, that can be filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self, service: SpelledService) -> None:
        del service
        with self._ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4_096))
            except OSError:
                pass

    def free(self, service: SpelledService) -> None:
        del service
        self._ballast.unlink()


class LimitedFiles:
    """No file of the service may grow any further."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, service: SpelledService) -> None:
        _, hard = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (1, hard))

    def free(self, service: SpelledService) -> None:
        _, hard = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a file system here (needs root and CAP_SYS_ADMIN)")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(params=["full", "limited"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmallDisk | LimitedFiles]:
    if request.param == "limited":
        yield LimitedFiles(tmp_path)
        return
    with small_disk(tmp_path / "disk") as mounted:
        yield mounted


async def stream(service: SpelledService, disk: SmallDisk | LimitedFiles) -> tuple[int, Onlooker]:
    """One that outlasts the full disk; how often its publisher was let in, and what was told."""
    reel, onlooker, heard = QuietReel(0.03), Onlooker(), list[Answer]()
    async with asyncio.TaskGroup() as tasks:
        watching = tasks.create_task(onlooker.watch(service))
        pushed = tasks.create_task(
            publish_on(service.address(), HELLO, reel, heard.append, patience=50.0)
        )
        await onlooker.until_more(3)
        disk.fill(service)
        await until_refused(service)
        await until_broken_off(service)
        told = [ad.text for ad in onlooker.ads]
        assert SAID.findall(await track(service)) == told, "what isn't kept is told nobody"
        assert (await service.get("/healthz")).json() == {"status": "ok"}
        await until_ready(service, False)
        disk.free(service)
        await until_ready(service, True)
        await onlooker.until_more(3)
        reel.over.set()
        await pushed
        await watching
    return sum(isinstance(answer, Ready) for answer in heard), onlooker


async def until_refused(service: SpelledService) -> None:
    """Until a new publisher is told, too, that the log can't be written."""
    async with asyncio.timeout(60):
        while True:
            async with publishing(service.address("other")) as other:
                answer = await other.hear()
            if answer["type"] == "error":
                assert (answer["code"], answer["retryable"]) == (LogError.code, True)
                assert re.search("full|disk|readonly|error", answer["message"])
                return
            await asyncio.sleep(0.2)


async def until_broken_off(service: SpelledService) -> None:
    """Until the stream had something to say, which could not be kept."""
    async with asyncio.timeout(60):
        while True:
            streams = (await service.get("/v1/streams")).json()["streams"]
            if [s["state"] for s in streams if s["stream"] == "news"] != ["live"]:
                return
            await asyncio.sleep(0.1)


async def until_ready(service: SpelledService, ready: bool) -> None:
    """Until publishers are kept away, and why; or sent again. Viewers are served all along."""
    async with asyncio.timeout(60):
        while True:
            assert (await service.get("/readyz?what=viewers")).status_code == httpx.codes.OK
            found = (await service.get("/readyz")).json()
            if found["ready"] == ready:
                assert ready or re.search("^log: .*(full|disk|readonly|error)", *found["reasons"])
                return
            await asyncio.sleep(0.2)


async def track(service: SpelledService) -> str:
    answer = await service.get("/v1/streams/news/descriptions.vtt")
    assert answer.status_code == httpx.codes.OK, answer.text
    return answer.text


def test_a_full_disk_is_told_of_and_gone_on_from(disk: SmallDisk | LimitedFiles) -> None:
    async def go() -> tuple[int, Onlooker, str]:
        async with spelled_service(f"sqlite:{disk.folder / 'log.sqlite'}") as service:
            connections, onlooker = await stream(service, disk)
            whole = await track(service)
            await service.kill()
            await service.start()
            assert await track(service) == whole, "it was all on the disk"
            return connections, onlooker, whole

    connections, onlooker, whole = asyncio.run(go())
    texts = [ad.text for ad in onlooker.ads]
    assert len(set(texts)) == len(texts)
    assert [ad.number for ad in onlooker.ads] == list(range(1, len(texts) + 1))
    assert sorted(SAID.findall(whole)) == sorted(texts)
    assert connections >= 2, "the publisher was told, came back and was let in again"
