"""Jobs over real sockets and the real decoder: done, cancelled, refused, kept and forgotten."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.jobs import bench
from service.jobs.jobs import Jobs as KeptJobs
from service.jobs.jobs import folder_of
from service.security.caller import Scope
from service.security.keys import new_key, write_keys
from service.settings import Auth, Jobs, Pull, Settings
from service.station import Station
from strad.predictions import PREDICTIONS
from strad_engines.weights import platform_cache
from tests.service.fakes import HangingDescriber, Workshop
from tests.service.live import SETTINGS, live_service
from tests.service.pull.origin import Page, serving
from tests.service.test_remux import film

pytestmark = pytest.mark.service

TYPE = {"Content-Type": "video/mp4"}


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Four seconds of film."""
    return film(tmp_path_factory.mktemp("clip") / "film.mp4", seconds=4).read_bytes()


def settings(folder: Path, auth: Auth | None = None, **jobs: Any) -> Settings:
    return replace(
        SETTINGS,
        jobs=Jobs(folder=str(folder), **jobs),
        pull=Pull(allow=("127.0.0.1",), connect=2.0, silence=2.0),
        auth=auth or Auth(),
    )


@asynccontextmanager
async def working(
    wanted: Settings, workshop: Workshop | None = None
) -> AsyncIterator[httpx.AsyncClient]:
    workshop = workshop or Workshop()
    async with (
        live_service(workshop.equipment(), wanted) as live,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{live.port}", trust_env=False) as http,
    ):
        yield http


async def finished(http: httpx.AsyncClient, job: str, *states: str) -> dict[str, Any]:
    """The job once it is over, or in one of ``states``."""
    over = states or ("done", "failed", "cancelled")
    async with asyncio.timeout(20):
        while True:
            record: dict[str, Any] = (await http.get(f"/v1/jobs/{job}")).json()
            if record["state"] in over:
                return record
            await asyncio.sleep(0.05)


def media_in(folder: Path) -> list[Path]:
    """The jobs' files that are still kept."""
    return [*folder.glob("*/media")]


def test_an_uploaded_file_is_described(tmp_path: Path, clip: bytes) -> None:
    async def go() -> None:
        async with working(settings(tmp_path)) as http:
            answer = await http.post("/v1/jobs?language=de", content=clip, headers=TYPE)
            assert answer.status_code == 202, answer.text
            job = answer.json()["job"]
            record = await finished(http, job)
            assert (record["state"], record["error"]) == ("done", None)
            assert record["received"] == len(clip)
            assert record["progress"] == 1.0
            assert record["asked"]["language"] == "de"
            assert record["figures"]["media_seconds"] == pytest.approx(4.0, abs=0.2)
            assert record["figures"]["skipped"] == 0
            track = await http.get(f"/v1/jobs/{job}/descriptions.vtt")
            assert track.text.startswith("WEBVTT")
            lines = (await http.get(f"/v1/jobs/{job}/descriptions.jsonl")).text.splitlines()
            said = [*PREDICTIONS.each(lines, file="answer")]
            assert len(said) == record["figures"]["events"] >= 1
            assert not (tmp_path / job / "media").exists()
            assert (await http.get("/v1/jobs")).json()["jobs"] == [record]

    asyncio.run(go())


def test_a_file_behind_a_url_is_described_and_others_are_refused(
    tmp_path: Path, clip: bytes
) -> None:
    async def go() -> None:
        async with serving() as origin, working(settings(tmp_path)) as http:
            origin.pages["/film"] = Page(clip)
            answer = await http.post("/v1/jobs", json={"url": origin.url("/film?key=x")})
            assert answer.status_code == 202
            assert answer.json()["source"] == origin.url("/film")
            origin.pages["/film?key=x"] = Page(clip)
            answer = await http.post("/v1/jobs", json={"url": origin.url("/film?key=x")})
            assert (await finished(http, answer.json()["job"]))["state"] == "done"
            answer = await http.post("/v1/jobs", json={"url": "http://169.254.169.254/x"})
            record = await finished(http, answer.json()["job"])
            assert (record["state"], record["error"]["code"]) == ("failed", "refused-source")
            answer = await http.post("/v1/jobs", json={"url": "file:///etc/passwd"})
            assert (answer.status_code, answer.json()["code"]) == (400, "refused-source")

    asyncio.run(go())


def test_files_that_are_none_or_too_long_are_refused(tmp_path: Path, clip: bytes) -> None:
    async def go() -> None:
        async with working(settings(tmp_path, max_upload=len(clip))) as http:
            for body, why in ((b"", "no file"), (clip + b"x", f"may have {len(clip)} bytes")):
                answer = await http.post("/v1/jobs", content=body, headers=TYPE)
                assert answer.status_code == 400
                assert why in answer.json()["message"]
            answer = await http.post("/v1/jobs", content=b"ffconcat version 1.0\nfile x\n")
            record = await finished(http, answer.json()["job"])
            assert (record["state"], record["error"]["code"]) == ("failed", "refused-source")
            track = await http.get(f"/v1/jobs/{record['job']}/descriptions.vtt")
            assert track.status_code == 404
            for wrong in ({"url": "http://a.example/x", "more": 1}, {"language": "e_n"}):
                assert (await http.post("/v1/jobs", json=wrong)).status_code == 422
            answer = await http.post("/v1/jobs?describer=oracle", content=clip, headers=TYPE)
            record = await finished(http, answer.json()["job"])
            assert "no describer 'oracle'" in record["error"]["message"]
            assert not media_in(tmp_path)

    asyncio.run(go())


def test_jobs_wait_in_line_are_cancelled_and_no_more_are_taken_than_fit(
    tmp_path: Path, clip: bytes
) -> None:
    async def go() -> None:
        wanted = settings(tmp_path, at_once=1, waiting=1)
        async with working(wanted, Workshop(HangingDescriber)) as http:
            jobs = []
            for _ in range(2):
                answer = await http.post("/v1/jobs", content=clip, headers=TYPE)
                jobs.append(answer.json()["job"])
            await finished(http, jobs[0], "running")
            assert (await finished(http, jobs[1], "queued"))["state"] == "queued"
            full = await http.post("/v1/jobs", content=clip, headers=TYPE)
            assert full.status_code == 503
            assert full.headers["retry-after"]
            assert full.json()["retryable"]
            assert (await http.delete(f"/v1/jobs/{jobs[0]}")).json()["state"] == "cancelled"
            await finished(http, jobs[1], "running")
            assert (await http.delete(f"/v1/jobs/{jobs[1]}")).json()["state"] == "cancelled"
            assert not media_in(tmp_path)
            await http.delete(f"/v1/jobs/{jobs[0]}")
            assert (await http.get(f"/v1/jobs/{jobs[0]}")).status_code == 404

    asyncio.run(go())


def test_a_bug_of_ours_is_a_failure_not_a_cancellation(
    tmp_path: Path, clip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(run: object, job: str) -> dict[str, str]:
        raise KeyError(job)

    monkeypatch.setattr(bench, "results", broken)

    async def go() -> None:
        async with working(settings(tmp_path)) as http:
            job = (await http.post("/v1/jobs", content=clip, headers=TYPE)).json()["job"]
            record = await finished(http, job)
            assert (record["state"], record["error"]["code"]) == ("failed", "failed")

    asyncio.run(go())


def test_a_service_that_stops_says_so_of_its_jobs_later(tmp_path: Path, clip: bytes) -> None:
    async def go() -> None:
        async with working(settings(tmp_path), Workshop(HangingDescriber)) as http:
            answer = await http.post("/v1/jobs", content=clip, headers=TYPE)
            job = answer.json()["job"]
            await finished(http, job, "running")
        async with working(settings(tmp_path)) as http:
            record = (await http.get(f"/v1/jobs/{job}")).json()
            assert record["state"] == "interrupted"

    asyncio.run(go())


def test_a_sender_that_goes_away_leaves_nothing(tmp_path: Path, clip: bytes) -> None:
    async def go() -> None:
        async with working(settings(tmp_path)) as http:
            port = http.base_url.port
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            head = "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n"
            writer.write(head.encode() + clip[:1_000])
            await writer.drain()
            async with asyncio.timeout(5):
                while not media_in(tmp_path):  # noqa: ASYNC110 - a file has no event
                    await asyncio.sleep(0.02)
            writer.close()
            async with asyncio.timeout(5):
                while media_in(tmp_path):  # noqa: ASYNC110 - a file has no event
                    await asyncio.sleep(0.02)
            (record,) = (await http.get("/v1/jobs")).json()["jobs"]
            assert (record["state"], record["error"]["code"]) == ("failed", "peer-gone")

    asyncio.run(go())


def test_jobs_are_seen_by_who_asked_for_them_and_by_admins(tmp_path: Path, clip: bytes) -> None:
    async def go() -> None:
        keys = [new_key([scope]) for scope in (Scope.PUBLISH, Scope.PUBLISH, Scope.ADMIN)]
        file = tmp_path / "keys.json"
        write_keys(file, [record for _, record in keys])
        mine, other, admin = ({"Authorization": f"Bearer {key}"} for key, _ in keys)
        wanted = settings(tmp_path / "jobs", Auth(keys=str(file)))
        async with working(wanted) as http:
            answer = await http.post("/v1/jobs", content=clip, headers=TYPE | mine)
            job = answer.json()["job"]
            path = f"/v1/jobs/{job}"
            assert (await http.get(path, headers=other)).status_code == 404
            assert (await http.delete(path, headers=other)).status_code == 404
            assert (await http.get("/v1/jobs", headers=other)).json() == {"jobs": []}
            assert (await http.get(path, headers=admin)).status_code == 200
            assert (await http.get(path, headers=mine)).status_code == 200

    asyncio.run(go())


def test_a_second_service_in_the_folder_warns_and_its_callers_are_told_no_path(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        equipment = Workshop().equipment()
        first, second = (KeptJobs(Station(settings(tmp_path), equipment)) for _ in range(2))
        first.claim()
        assert not caplog.records
        second.claim()
        assert f"another process keeps its jobs in {tmp_path}" in caplog.text
        async with working(settings(tmp_path)) as http:
            for answer in (await http.get("/v1/jobs"), await http.post("/v1/jobs", content=b"x")):
                told = answer.json()
                assert (told["code"], told["retryable"]) == ("failed", False)
                assert str(tmp_path) not in told["message"]

    asyncio.run(go())


def test_no_test_keeps_jobs_among_the_users() -> None:
    used = folder_of(Settings())
    for folder in (used, Path(os.environ["STRAD_JOBS_FOLDER"])):
        assert not folder.is_relative_to(platform_cache())
